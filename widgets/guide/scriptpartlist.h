// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/guide/guidescript.h"

#include <QWidget>

class QButtonGroup;
class QPushButton;
class QVBoxLayout;

namespace rankwright {

/// The parts of a script, each with its sentence; the one that is taken is to be marked in the script.
class ScriptPartList final : public QWidget {
    Q_OBJECT
public:
    explicit ScriptPartList(QWidget* parent = nullptr);

    void setParts(const QList<GuideScriptPart>& parts);
    int current() const { return m_current; }

signals:
    void currentChanged(int part);
    void termRequested(const QString& term, QWidget* at);

private:
    void choosePart(int part);

    QList<GuideScriptPart> m_parts;
    QVBoxLayout* m_column = nullptr;
    QWidget* m_body = nullptr;
    QList<QPushButton*> m_buttons;
    int m_current = 0;
};

} // namespace rankwright
