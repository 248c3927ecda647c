// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace rankwright {

/// A scroll area around a page of wrapping texts. Qt forgets that the page needs another height when its texts change
/// while the page is hidden; this one asks again when it is shown. Takes no focus itself.
class ScrollPage : public QScrollArea {
    Q_OBJECT
public:
    explicit ScrollPage(QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
};

} // namespace rankwright
