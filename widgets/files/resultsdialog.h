// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace rankwright {

/// A file of a job, as the dialog lists it.
struct ResultRow {
    QString name; ///< for people
    QString kind; ///< "output", "checkpoint", "other"
    qint64 bytes = 0;
    bool isChosen = false;
};

/// What a job left, to be ticked; outputs are. Copies nothing itself.
class ResultsDialog final : public QDialog {
    Q_OBJECT
public:
    ResultsDialog(const QString& title, const QList<ResultRow>& rows, const QString& target, QWidget* parent = nullptr);

    QList<int> chosen() const; ///< places in `rows`
    QString target() const; ///< folder of this machine

private:
    void refresh();

    QTreeWidget* m_list = nullptr;
    QLineEdit* m_target = nullptr;
    QPushButton* m_fetch = nullptr;
};

} // namespace rankwright
