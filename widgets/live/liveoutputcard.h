// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/log/joblogview.h"

namespace rankwright {

class Card;

/// The Live page's card with the job's output. Places; the output itself is JobLogView.
class LiveOutputCard final : public QWidget {
    Q_OBJECT
public:
    explicit LiveOutputCard(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    JobLogView& log() const { return *m_log; }

private:
    Card* m_card = nullptr;
    JobLogView* m_log = nullptr;
};

} // namespace rankwright
