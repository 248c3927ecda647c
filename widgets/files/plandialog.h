// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/transfer/transferplan.h"

#include <QDialog>

class QCheckBox;

namespace rankwright {

/// What would be sent, before it is: counts, warnings, each file with what becomes of it. Newer files are replaced only
/// when that is ticked.
class PlanDialog final : public QDialog {
    Q_OBJECT
public:
    /// `notes`: further sentences (room, what is ignored).
    PlanDialog(const QString& title, const TransferPlan& plan, const QStringList& notes, QWidget* parent = nullptr);

    bool replacesNewer() const;

private:
    QCheckBox* m_replace = nullptr;
};

/// "12 files (3 MiB) will be copied; 4 are there already; …"
QString planSentence(const TransferPlan& plan);

} // namespace rankwright
