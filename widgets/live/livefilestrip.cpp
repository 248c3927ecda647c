// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/livefilestrip.h"

#include "models/core/harmlesstext.h"
#include "widgets/base/factgrid.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

LiveFileStrip::LiveFileStrip(QWidget* parent) : QFrame(parent), m_text(makeText({}, "plain", this))
{
    setProperty("card", true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(12);
    m_text->setTextFormat(Qt::PlainText);
    row->addWidget(m_text, 1);
    const auto add = [&](const QString& text, const QString& tip, void (LiveFileStrip::*asked)()) {
        auto* button = new QPushButton(text, this);
        button->setToolTip(tip);
        row->addWidget(button);
        m_stops.append(button);
        connect(button, &QPushButton::clicked, this, asked);
    };
    add(tr("What is in it"), tr("Its report, output, script and design, to read"), &LiveFileStrip::contentsClicked);
    add(tr("Open its design"), tr("As a new document that is not saved; the open one stays where it is"),
        &LiveFileStrip::designClicked);
    add(tr("Close the file"), tr("Its unpacked copy is deleted; the file itself stays"), &LiveFileStrip::closeClicked);
    hide();
}

void LiveFileStrip::showFile(const QString& fileName)
{
    m_name = fileName;
    m_text->setText(
        tr("From a file: %1, maybe from somebody you do not know: nothing in it is run. It is not among your jobs, "
           "recordings and measurements.")
            .arg(harmlessLine(fileName, 80)));
    setVisible(!fileName.isEmpty());
}

} // namespace rankwright
