// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QGridLayout;
class QLabel;

namespace rankwright {

struct Fact {
    QString label;
    QString value;
    bool code = false; ///< a path or a name: in the font of code
};

/// Facts as pairs of a quiet label and a value that can be selected and copied, in one or more columns of pairs. What
/// is empty is said to be so, with the words it is given. Plain text only.
class FactGrid final : public QWidget {
    Q_OBJECT
public:
    explicit FactGrid(const QString& whenEmpty, int columns = 1, QWidget* parent = nullptr);

    /// What stands there is brought up to date in its place: a selection or the focus on a value is kept.
    void setFacts(const QList<Fact>& facts);
    void add(const QString& label, const QString& value) { add(Fact{label, value}); }
    void addCode(const QString& label, const QString& value) { add(Fact{label, value, true}); }
    /// For a value that is not a text.
    void addWidget(const QString& label, QWidget* value);

private:
    struct Row {
        QLabel* label = nullptr;
        QLabel* value = nullptr; ///< null: no text
        bool code = false;
    };
    void add(const Fact& fact);
    void showText(QLabel* text, const Fact& fact) const;
    bool fits(const QList<Fact>& facts) const;

    QGridLayout* m_grid = nullptr;
    QList<Row> m_rows;
    QString m_whenEmpty;
    int m_columns = 1;
};

/// A plain label that wraps and can be selected; role as in makeLabel().
QLabel* makeText(const QString& text, const char* role, QWidget* parent);

} // namespace rankwright
