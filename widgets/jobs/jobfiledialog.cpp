// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobfiledialog.h"

#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/wrappedlabel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

JobFileDialog::JobFileDialog(QWidget* parent)
    : QDialog(parent), m_progress(new QProgressBar(this)), m_contents(new JobFileView(this)),
      m_output(new QCheckBox(tr("With the end of the job's &output"), this)),
      m_save(new QPushButton(tr("&Save …"), this))
{
    setWindowTitle(tr("Save as a job file"));
    resize(820, 640);
    fitTexts(*this, {620, 460});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    m_intro = makeText({}, "quiet", this);
    m_state = makeText({}, "plain", this);
    m_state->setAccessibleName(tr("State of the job file"));
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress"));
    m_output->setChecked(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    auto* close = new QPushButton(tr("Cancel"), this);
    m_save->setProperty("accent", true);
    m_save->setDefault(true);
    row->addWidget(m_output);
    row->addStretch(1);
    row->addWidget(close);
    row->addWidget(m_save);
    column->addWidget(m_intro);
    column->addWidget(m_contents, 1);
    column->addWidget(m_state);
    column->addWidget(m_progress);
    column->addLayout(row);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &JobFileDialog::saveRequested);
    connect(m_output, &QCheckBox::clicked, this, &JobFileDialog::outputToggled);
}

void JobFileDialog::setSubject(const QString& subject)
{
    m_intro->setText(tr("%1 as one file, for a colleague or a help desk: who opens it needs no account on the cluster. "
                        "Secrets that are known by their name or form are left out; no program knows every secret, so "
                        "look through it before you give it away.")
                         .arg(subject));
}

void JobFileDialog::setBusy(const QString& what)
{
    m_state->setText(what);
    m_progress->show();
    m_save->setEnabled(false);
    m_save->setToolTip(what);
    m_output->setEnabled(false);
}

void JobFileDialog::showWork(const QString& what, std::optional<double> share)
{
    setBusy(what);
    m_progress->setRange(0, share ? 1000 : 0);
    if (share)
        m_progress->setValue(int(std::lround(qBound(0.0, *share, 1.0) * 1000)));
}

void JobFileDialog::setReady()
{
    m_progress->hide();
    m_save->setEnabled(true);
    m_save->setToolTip(tr("Choose where it goes"));
    m_output->setEnabled(m_whyNone.isEmpty());
}

void JobFileDialog::showContents(const QList<JobFileItem>& items, const QString& summary, const QStringList& notes)
{
    setReady();
    m_contents->setItems(items);
    m_state->setText((QStringList{summary} + notes).join(u'\n'));
}

void JobFileDialog::showError(const Error& why, Again again)
{
    setReady();
    m_state->setText(why.oneLine());
    if (again == Again::Yes)
        return;
    m_save->setEnabled(false);
    m_save->setToolTip(why.what);
    m_output->setEnabled(false);
}

void JobFileDialog::setOutputs(const QString& whyNone)
{
    m_whyNone = whyNone;
    m_output->setToolTip(whyNone);
    if (!whyNone.isEmpty())
        m_output->setChecked(false);
    m_output->setEnabled(whyNone.isEmpty());
}

bool JobFileDialog::withOutput() const { return m_output->isChecked(); }

} // namespace rankwright
