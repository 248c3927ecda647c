// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/checks/designchecks.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace rankwright {

/// Findings as a colleague would say them: shape and word of the severity, the sentence, one click that cures it, and
/// the way to the field. Shows a list; applies nothing itself.
class FindingsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit FindingsPanel(QWidget* parent = nullptr);

    /// `silenced`: what comments in the script silence, shown below in grey and not counted.
    void setFindings(const QList<Finding>& findings, const QList<Finding>& silenced = {});
    void focusFirst();
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void fixRequested(int index, int which); ///< of a finding's changes: 0 its fix, then otherFixes
    void fieldRequested(const rankwright::FieldPath& field);
    void lineRequested(int line); ///< counted from 0, as the editor does
    void tallWanted(bool tall); ///< more room for the list, or less again

private:
    QWidget* makeRow(const Finding& finding, int index);
    QWidget* makeSilencedRow(const Finding& finding);
    QPushButton* lineLink(int line, QWidget* row); ///< line counts from 1
    qsizetype rowWithFocus() const; ///< -1 where the focus is elsewhere
    void focusRow(int index); ///< the last one where there are fewer
    void updateHead(const QList<Finding>& findings, qsizetype silenced);

    QLabel* m_pill = nullptr;
    QLabel* m_rest = nullptr;
    QToolButton* m_more = nullptr;
    QScrollArea* m_scroll = nullptr;
    QVBoxLayout* m_rows = nullptr;
    QStringList m_shown; ///< what the rows were built from
};

} // namespace rankwright
