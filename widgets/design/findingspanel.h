// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checks/designchecks.h"

#include <QWidget>

class QLabel;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace rankwright {

/// Findings as a colleague would say them: shape and word of the severity, the sentence, one click that cures it, and
/// the way to the field. Shows a list; applies nothing itself.
class FindingsPanel final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FindingsPanel)
public:
    explicit FindingsPanel(QWidget* parent = nullptr);

    void setFindings(const QList<Finding>& findings);
    void focusFirst();
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void fixRequested(int index);
    void fieldRequested(const rankwright::FieldPath& field);
    void lineRequested(int line);
    void tallWanted(bool tall); ///< more room for the list, or less again

private:
    QWidget* makeRow(const Finding& finding, int index);
    void updateHead(const QList<Finding>& findings);

    QLabel* m_pill = nullptr;
    QLabel* m_rest = nullptr;
    QToolButton* m_more = nullptr;
    QScrollArea* m_scroll = nullptr;
    QVBoxLayout* m_rows = nullptr;
    QStringList m_shown; ///< what the rows were built from
};

} // namespace rankwright
