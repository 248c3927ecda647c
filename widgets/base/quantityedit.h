// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QStringList>

class QAction;
class QCompleter;
class QStringListModel;

namespace rankwright {

/// A line edit that shows three things in one field: the value typed, or greyed the one that stands in for it while
/// it is empty, and at the right a quiet hint (unit, limit). Options, if any, drop down from an arrow;
/// of a long list those are offered that contain all words of what is typed. Undo is left to
/// the document as long as the text can be read. Knows nothing of what the text means.
class QuantityEdit final : public QLineEdit {
    Q_OBJECT
public:
    explicit QuantityEdit(QWidget* parent = nullptr);

    void setHint(const QString& hint);
    QString hint() const { return m_hint; }
    void setPlaceholder(const QString& text);
    QString placeholder() const { return m_placeholder; }
    QString shownPlaceholder() const; ///< cut where it has no room; empty: there is a text
    void setOptions(const QStringList& options);
    QStringList options() const { return m_options; }
    void setInvalid(bool invalid);

signals:
    void optionChosen(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void makeRoom();
    void showOptions();
    void offerCompletions();
    QStringList optionsWith(const QString& text) const;
    QRect textArea() const;
    QRect textRoom() const; ///< without the arrow's
    int hintRoom() const; ///< with its distance; 0: it is not shown

    QString m_hint;
    QString m_placeholder;
    QStringList m_options;
    QAction* m_arrow = nullptr;
    QCompleter* m_completer = nullptr; ///< of a long list
    QStringListModel* m_completions = nullptr;
};

} // namespace rankwright
