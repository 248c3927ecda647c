// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/login/loginsteps.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace rankwright {

/// The steps of a login below each other, each with its light: a shape, a word and a colour, what was seen, what to do.
/// Every row can be reached by keyboard and says all of it to screen readers.
class LightList final : public QWidget {
    Q_OBJECT
public:
    explicit LightList(QWidget* parent = nullptr);
    /// `current`: the step that is being tested.
    void showSteps(const LoginSteps& steps, std::optional<LoginStepKind> current);

    /// To be scrolled to.
    QWidget* row(LoginStepKind kind) const { return m_rows.at(static_cast<int>(kind)).box; }

private:
    struct Row {
        QWidget* box = nullptr;
        QLabel* symbol = nullptr;
        QLabel* word = nullptr;
        QLabel* title = nullptr;
        QLabel* evidence = nullptr;
        QLabel* advice = nullptr;
    };
    Row makeRow();
    QList<Row> m_rows;
};

} // namespace rankwright
