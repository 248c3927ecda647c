// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;

namespace rankwright {

class ScriptEditor;

/// The strip below a script that says what the line with the cursor is: what is wrong with it and the click that cures
/// it, that it is a person's own and the way back, or why it is there and its field. The same that hovering says, for
/// those who do not hover.
class ScriptStatus final : public QWidget {
    Q_OBJECT
public:
    explicit ScriptStatus(ScriptEditor& editor, QWidget* parent = nullptr);

    void showLine(int line);
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitText();
    void fitLinks();
    void refresh();

    ScriptEditor& m_editor;
    QLabel* m_sign = nullptr;
    QLabel* m_text = nullptr;
    QPushButton* m_fix = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_field = nullptr;
    QString m_reported; ///< in full: the label may show its beginning
    QString m_refusal; ///< why the last text was not taken
    QList<std::pair<QPushButton*, bool>> m_links; ///< in order of weight, and whether they stand for something
    int m_line = 0; ///< from 0
    std::optional<int> m_remark; ///< index into the editor's
};

} // namespace rankwright
