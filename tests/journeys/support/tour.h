// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/workbench/workbench.h"

#include <QDir>
#include <QImage>
#include <QMap>

namespace rankwright::test {

/// Pictures of a journey's steps in every size and look, for the docs and for looking at. Only where
/// RANKWRIGHT_PICTURES names a folder; else it does nothing. The window is afterwards as it was.
class Tour final {
public:
    explicit Tour(Workbench& workbench);
    ~Tour(); ///< writes the sheets

    /// NAME.png, light at 1280 × 800, and a part of the sheet of each other size and look; these in full only where
    /// RANKWRIGHT_PICTURES_ALL is set.
    void capture(const QString& name);

private:
    Workbench& m_workbench;
    QString m_folder; ///< empty: no pictures
    QMap<QString, QList<QImage>> m_sheets; ///< by size and look
};

} // namespace rankwright::test
