// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/patterndialog.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/theme.h"
#include "widgets/base/wrappedlabel.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>

namespace rankwright {

using namespace Qt::StringLiterals;

PatternDialog::PatternDialog(const QString& expression, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Progress pattern"));
    resize(720, 400);
    fitTexts(*this, {440, 320});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(8);
    auto* intro
        = makeLabel(tr("For programs whose output is not known here: a regular expression with named groups. It "
                       "reads step, steps, epoch, epochs, loss, rate and eta, whichever of them a line has."),
            "quiet", this);
    intro->setWordWrap(true);
    m_edit = new QLineEdit(expression, this);
    m_edit->setFont(Theme::codeFont(12));
    m_edit->setAccessibleName(tr("Regular expression with named groups"));
    m_edit->setPlaceholderText(uR"(tick (?<step>\d+) of (?<steps>\d+), err (?<loss>[\d.]+))"_s);
    m_edit->setClearButtonEnabled(true);
    m_says = makeLabel({}, "quiet", this);
    m_says->setWordWrap(true);
    m_says->setTextFormat(Qt::PlainText);
    m_table = new QTableWidget(0, 2, this);
    m_table->setAccessibleName(tr("Lines that it reads"));
    m_table->setHorizontalHeaderLabels({tr("Reads"), tr("From this line")});
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_use = buttons->addButton(tr("Use it"), QDialogButtonBox::AcceptRole);
    m_use->setProperty("accent", true);
    column->addWidget(intro);
    column->addWidget(m_edit);
    column->addWidget(m_says);
    column->addWidget(m_table, 1);
    column->addWidget(buttons);
    connect(m_edit, &QLineEdit::textChanged, this, &PatternDialog::edited);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QString PatternDialog::expression() const { return m_edit->text(); }

void PatternDialog::showPreview(const QList<Row>& rows, int lines, const QString& trouble)
{
    const bool isEmpty = m_edit->text().trimmed().isEmpty();
    m_use->setEnabled(trouble.isEmpty() || isEmpty);
    setStyleProperty(m_edit, "invalid", !trouble.isEmpty() && !isEmpty);
    if (isEmpty)
        m_says->setText(tr("Without a pattern the known programs are read."));
    else if (!trouble.isEmpty())
        m_says->setText(trouble);
    else if (rows.isEmpty())
        m_says->setText(lines == 1 ? tr("It does not match the only line.")
                                   : tr("It matches none of the last %1 lines.").arg(lines));
    else
        m_says->setText(tr("It reads %1 of the last %2.").arg(rows.size()).arg(counted(lines, tr("line"))));
    m_table->setRowCount(0);
    for (const Row& row : rows.mid(qMax<qsizetype>(0, rows.size() - 100))) {
        const int at = m_table->rowCount();
        m_table->insertRow(at);
        m_table->setItem(at, 0, new QTableWidgetItem(row.reported));
        auto* line = new QTableWidgetItem(row.line);
        line->setFont(Theme::codeFont(11));
        m_table->setItem(at, 1, line);
    }
    m_table->scrollToBottom();
}

} // namespace rankwright
