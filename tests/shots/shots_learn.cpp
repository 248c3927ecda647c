// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Popovers of terms over the form, the glossary, and all tiny pictures: shots_learn FOLDER.
#include "widgets/base/card.h"
#include "widgets/base/theme.h"
#include "widgets/form/designform.h"
#include "widgets/learn/termguide.h"
#include "widgets/learn/termpicture.h"
#include "widgets/learn/termtext.h"
#include "widgets/learn/wordsdialog.h"

#include "models/teaching/learn/term.h"

#include <QApplication>
#include <QBoxLayout>
#include <QDir>
#include <QGridLayout>
#include <QLabel>
#include <QMainWindow>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

void settle()
{
    for (int round = 0; round < 6; ++round)
        QApplication::processEvents();
}

JobSpec spec()
{
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.time = Seconds{12 * 3600};
    spec.resources.nodes = 2;
    spec.model = {{u"preset"_s, u"llama-3-8b"_s}};
    spec.training.globalBatch = 64;
    spec.training.microBatch = 2;
    return spec;
}

/// A form at the left and a text with links at the right.
QLabel* fill(QMainWindow& window, Design& design)
{
    auto* page = new QWidget(&window);
    auto* row = new QHBoxLayout(page);
    auto* form = new DesignForm(design, page);
    form->setMaximumWidth(420);
    row->addWidget(form, 2);
    auto* card = new Card(u"Why FSDP?"_s, page);
    auto* text = new QLabel(card);
    text->setWordWrap(true);
    setTermText(text,
        u"[weights|Weights], [gradients|gradients] and [optimiser-states|optimiser states] are cut into 16 parts. In every step "
        u"the layers travel from [gcd] to [gcd]; [ddp] would keep a whole copy."_s);
    card->body()->addWidget(text);
    card->body()->addStretch(1);
    row->addWidget(card, 3);
    window.setCentralWidget(page);
    return text;
}

void shootPopovers(const QString& folder, const QString& look, QSize size, int text)
{
    static const Catalogue catalogue = loadCatalogue();
    Design design(catalogue);
    design.replace(spec());
    QMainWindow window;
    if (text != 13)
        window.setStyleSheet(u"* { font-size: %1px; }"_s.arg(text));
    QLabel* label = fill(window, design);
    window.resize(size);
    window.show();
    settle();
    TermGuide guide(&window, design);
    QObject::connect(&guide, &TermGuide::nodesRequested, &window, [] {});
    const auto shoot = [&](const QString& term, QWidget* at) {
        guide.show(term, at);
        settle();
        window.grab().save(u"%1/popover_%2_%3_%4_%5.png"_s.arg(folder, term, look).arg(size.width()).arg(text));
    };
    shoot(u"gcd"_s, label);
    for (const QLatin1StringView path : {field::nodes, field::microBatch, field::memoryPerNode}) {
        window.findChild<DesignForm*>()->focusField(path);
        settle();
        if (auto* control = window.findChild<QWidget*>(path); control != nullptr)
            shoot(TermGuide::termOf(control), control);
    }
}

void shootWords(const QString& folder, const QString& look, QSize size)
{
    static const Catalogue catalogue = loadCatalogue();
    Design design(catalogue);
    design.replace(spec());
    WordsDialog dialog(design);
    dialog.resize(size);
    for (const QString& text : {QString(), u"pipeline-bubble"_s, u"billed-for-cores"_s, u"power"_s}) {
        dialog.showAt(text);
        settle();
        dialog.grab().save(
            u"%1/words_%2_%3_%4.png"_s.arg(folder, text.isEmpty() ? u"all"_s : text, look).arg(size.width()));
    }
}

void shootPictures(const QString& folder, const QString& look)
{
    static const Catalogue catalogue = loadCatalogue();
    Design design(catalogue);
    design.replace(spec());
    QWidget sheet;
    sheet.setProperty("strip", true);
    sheet.setAttribute(Qt::WA_StyledBackground);
    auto* grid = new QGridLayout(&sheet);
    QList<TinyPicture> seen;
    for (const Term& term : terms()) {
        if (seen.contains(term.picture))
            continue;
        auto* picture = new TermPicture(&sheet);
        picture->setPicture(term.picture, pictureFigures(design.derived()));
        grid->addWidget(picture, int(seen.size()) / 7, int(seen.size()) % 7);
        seen.append(term.picture);
    }
    sheet.show();
    settle();
    sheet.grab().save(u"%1/pictures_%2.png"_s.arg(folder, look));
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QString folder = QApplication::arguments().value(1, u"shots"_s);
    QDir().mkpath(folder);
    Theme theme;
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        const QString look = dark ? u"dark"_s : u"light"_s;
        shootPictures(folder, look);
        for (const QSize size : {QSize(1024, 700), QSize(1280, 800)})
            shootPopovers(folder, look, size, 13);
        for (const QSize size : {QSize(920, 600), QSize(640, 420)})
            shootWords(folder, look, size);
    }
    theme.setMode(Theme::Mode::Light);
    shootPopovers(folder, u"light"_s, {1024, 700}, 26);
    return 0;
}
