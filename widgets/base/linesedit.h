// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace rankwright {

/// A few lines of code font that grow with their text; Tab leaves, undo is the document's while the text can be read.
class LinesEdit final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit LinesEdit(QWidget* parent = nullptr);

    void setLines(const QString& text); ///< does not emit edited()
    void setPlaceholder(const QString& text);
    void setInvalid(bool invalid);

signals:
    void edited(const QString& text);
    void left();

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    void fitHeight();

    QString m_placeholder;
    QString m_shown;
};

} // namespace rankwright
