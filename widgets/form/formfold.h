// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;

namespace rankwright {

/// Part of a form that folds away: a head that names it, counts its fields and says which of them are set and which
/// need attention, and a grid below. Knows nothing of fields.
class FormFold final : public QWidget {
    Q_OBJECT
public:
    FormFold(const QString& title, QWidget* parent);

    QGridLayout* grid() const { return m_grid; }
    QWidget* body() const { return m_body; }
    QPushButton* head() const { return m_head; }
    bool isOpen() const { return m_open; }
    void setOpen(bool open);
    /// While a search shows some of it: open, or out of sight, whatever it was.
    enum class Forced { No, Open, Away };
    void setForced(Forced forced);
    /// `set`: names and values that differ from the default; `troubles`: names of fields with a finding.
    void setContents(int fields, const QStringList& set, const QStringList& troubles);

signals:
    void toggled(bool open); ///< by a person

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    QString m_title;
    QPushButton* m_head = nullptr;
    QLabel* m_note = nullptr;
    QLabel* m_trouble = nullptr;
    QWidget* m_body = nullptr;
    QGridLayout* m_grid = nullptr;
    int m_fields = 0;
    QStringList m_set;
    QStringList m_troubles;
    bool m_open = false;
    Forced m_forced = Forced::No;
};

} // namespace rankwright
