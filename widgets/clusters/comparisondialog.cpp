// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/comparisondialog.h"

#include "models/tables/recordmodel.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QHeaderView>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

class DifferenceModel final : public RecordModel<EntryDifference> {
public:
    DifferenceModel(const QList<EntryDifference>& differences, QObject* parent)
        : RecordModel<EntryDifference>(
            columns(),
            [](const EntryDifference& one) -> QString { return one.place + u'\n' + one.subject + one.cluster; }, parent)
    {
        assign(differences);
    }

private:
    static QString shown(const QString& text) { return text.isEmpty() ? u"–"_s : text; }
    static QList<Column> columns()
    {
        QList<Column> columns;
        columns.append({ComparisonDialog::tr("What"), [](const EntryDifference& one) { return one.subject; }});
        columns.last().toolTip = [](const EntryDifference& one) { return one.place; };
        columns.append({ComparisonDialog::tr("Entry"), [](const EntryDifference& one) { return shown(one.entry); }});
        columns.append(
            {ComparisonDialog::tr("Cluster"), [](const EntryDifference& one) { return shown(one.cluster); }});
        return columns;
    }
};

} // namespace

ComparisonDialog::ComparisonDialog(const QString& title, const EntryComparison& comparison, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Compare with the cluster"));
    resize(760, 460);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(22, 20, 22, 18);
    column->setSpacing(10);
    const int count = int(comparison.differences.size());
    column->addWidget(
        makeLabel(count == 0 ? tr("The entry of %1 agrees with what its Slurm reports").arg(title)
                             : tr("The entry of %1 and its Slurm differ in %n place(s)", "", count).arg(title),
            "figure", this));
    if (count > 0) {
        column->addWidget(
            makeText(tr("Findings use the entry. Correct it in a file of your own with the same name, or draft one "
                        "from this connection."),
                "quiet", this));
        auto* table = new RecordTable(*new DifferenceModel(comparison.differences, this), this);
        table->setAccessibleName(tr("Differences"));
        table->setSortingEnabled(false);
        table->sortByColumn(-1, Qt::AscendingOrder); // the order of the file
        table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
        column->addWidget(table, 1);
    } else {
        column->addStretch(1);
    }
    for (const QString& sentence : comparison.notCompared)
        column->addWidget(makeText(sentence, "caption", this));
    auto* box = new QDialogButtonBox(this);
    box->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(box);
}

} // namespace rankwright
