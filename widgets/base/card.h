// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace rankwright {

/// A panel with a title at the left of its head, a caption at the right, and a body below. Knows nothing of what it
/// holds.
class Card final : public QFrame {
    Q_OBJECT
public:
    explicit Card(const QString& title = {}, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setCaption(const QString& caption);
    QString title() const;
    QString caption() const;
    /// For further controls in the head, before the caption.
    QHBoxLayout* head() const { return m_head; }
    QVBoxLayout* body() const { return m_body; }

private:
    QHBoxLayout* m_head = nullptr;
    QVBoxLayout* m_body = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_caption = nullptr;
};

/// A label with one of the theme's text roles: "title", "caption", "quiet", "section", "figure", "fault".
QLabel* makeLabel(const QString& text, const char* role, QWidget* parent = nullptr);
/// The same for text that may be cut to fit: with a mark (an ElidingLabel).
QLabel* makeElidedLabel(const char* role, QWidget* parent = nullptr);
/// Sets a property that the style sheet looks at, and restyles when it changed.
void setStyleProperty(QWidget* widget, const char* name, const QVariant& value);
/// A hairline.
QWidget* makeLine(Qt::Orientation orientation, QWidget* parent = nullptr);

} // namespace rankwright
