// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/document/design.h"

#include <QTimer>

#include <atomic>
#include <memory>

namespace rankwright {

class DesignPage;
class MainWindow;
class PlanPage;
struct PlanFindings;

/// Searches layouts for the Plan page off the GUI thread. Typing restarts a search; what comes back for an older
/// request is dropped. Lives on the GUI thread.
class PlanController final : public QObject {
    Q_OBJECT
public:
    PlanController(
        Design& design, MainWindow& window, PlanPage& page, DesignPage& designPage, QObject* parent = nullptr);
    ~PlanController() override;

    bool isBusy() const { return m_running != nullptr; }

private:
    void search();
    void cancel();
    void handleFound(quint64 request, const PlanFindings& found);

    Design& m_design;
    PlanPage& m_page;
    QTimer m_pause; ///< while somebody types
    quint64 m_request = 0; ///< the newest one
    std::shared_ptr<std::atomic_bool> m_running; ///< set to cancel; null: nothing runs
};

} // namespace rankwright
