// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/guide/guidecontent.h"

#include <QWidget>

class QVBoxLayout;

namespace rankwright {

/// What was checked before a launch, a row each: shape, words, and where there is something to do, the way there.
class CheckList final : public QWidget {
    Q_OBJECT
public:
    explicit CheckList(QWidget* parent = nullptr);

    void setContent(const GuideContent& content);

signals:
    void stepClicked(rankwright::GuideStep step);
    void connectClicked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();

    QList<GuideCheck> m_checks;
    bool m_mayConnect = false;
    QWidget* m_body = nullptr;
};

} // namespace rankwright
