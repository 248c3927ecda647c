// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/scriptdocument.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace rankwright {

class ScriptEditor;

/// The script with what stands around it: head with file name, size and Copy, and the search strip of Ctrl+F.
class ScriptPanel final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ScriptPanel)
public:
    explicit ScriptPanel(QWidget* parent = nullptr);

    void setDocumentShown(const ScriptDocument& document, const QString& jobName);
    ScriptEditor& editor() const { return *m_editor; }
    void openSearch();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* buildHead();
    QWidget* buildSearch();
    void search(bool forward);
    void copyAll();

    ScriptEditor* m_editor = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_caption = nullptr;
    QWidget* m_strip = nullptr;
    QLineEdit* m_wanted = nullptr;
    QLabel* m_outcome = nullptr;
};

} // namespace rankwright
