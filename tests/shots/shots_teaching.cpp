// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A teacher's way, every step over the real window: shots_teaching FOLDER [PART OF A NAME]. docs/teaching.md shows
// some.
#include "models/script/document/design.h"
#include "models/teaching/classroom/classeffects.h"
#include "models/teaching/classroom/classprogress.h"
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/shots/camera.h"
#include "widgets/classroom/classconsentdialog.h"
#include "widgets/classroom/classeditordialog.h"
#include "widgets/classroom/classpreviewdialog.h"
#include "widgets/classroom/classprogressdialog.h"
#include "widgets/design/designpage.h"
#include "widgets/window/mainwindow.h"

#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSpinBox>
#include <QTabWidget>

#include <algorithm>
#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

const QString fingerprint = u"SHA256:qCFZThjRw8nf0CiZ9rU7b6Zirjq8slAIl5r0xWaVoD0"_s;
constexpr int attendees = 30;

ClassFile course()
{
    const QList<ShippedClass> shipped = shippedClasses();
    const auto lumi = std::find_if(
        shipped.cbegin(), shipped.cend(), [](const ShippedClass& one) { return one.name == u"lumi-ai-course"_s; });
    ClassFile file = lumi->file;
    file.title = u"Deep learning on many GPUs"_s;
    file.author = u"Ada, Example University"_s;
    file.account = u"project_465000001"_s;
    file.reservation = ClassReservation{u"AI_workshop"_s, QDateTime(QDate(2026, 12, 1), QTime(8, 0), Qt::UTC),
        QDateTime(QDate(2026, 12, 1), QTime(16, 0), Qt::UTC)};
    file.progressFolder = u"/scratch/project_465000001/course"_s;
    return file;
}

ReservationFit fit(const ClassFile& file)
{
    ReservationFit made;
    made.name = file.reservation->name;
    made.classBegin = made.begin = file.reservation->begin;
    made.classEnd = made.end = file.reservation->end;
    made.nodes = 48;
    made.nodesEach = 2;
    made.people = attendees;
    return made;
}

QList<SiteVerdict> verdicts()
{
    return {{SiteState::Good, u"Project"_s, u"project_465000001 is yours there."_s},
        {SiteState::Good, u"Partition"_s, u"standard-g is up."_s},
        {SiteState::Good, u"Reservation"_s, u"AI_workshop is there, and open to project_465000001."_s},
        {SiteState::Bad, u"Size"_s, u"30 people need 60 nodes at once; the reservation has 48, enough for 24."_s},
        {SiteState::Good, u"Dates"_s, u"The reservation covers the class's dates."_s}};
}

std::unique_ptr<QDialog> consent(const ClassFile& file, const Catalogue& catalogue)
{
    ClassConsent made;
    made.title = file.title;
    made.author = file.author;
    made.effects = classEffects(file, catalogue);
    made.trust = ClassConsent::Trust::First;
    made.fingerprint = fingerprint;
    made.sharedFile = file.progressFolder + u"/heron-58.progress"_s;
    made.sharedLine = {u"heron-58"_s, file.exercises.first().id,
        QList<CheckState>(file.exercises.first().checks.size(), CheckState::NotYet), {},
        QDateTime::fromString(u"2026-12-01T09:00:00Z"_s, Qt::ISODate)};
    return std::make_unique<ClassConsentDialog>(made);
}

std::unique_ptr<QDialog> progress(const ClassFile& file)
{
    auto made = std::make_unique<ClassProgressDialog>(file);
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const QStringList names{u"ada"_s, u"alan"_s, u"barbara"_s, u"edsger"_s, u"frances"_s, u"grace"_s, u"john"_s,
        u"katherine"_s, u"ken"_s, u"linus"_s, u"margaret"_s, u"niklaus"_s};
    ReadProgress read;
    for (qsizetype i = 0; i < names.size(); ++i) {
        const ClassExercise& exercise = file.exercises.at(i % 4);
        for (qsizetype done = 0; done < i % 4; ++done)
            read.lines.append({names.at(i), file.exercises.at(done).id,
                QList<CheckState>(file.exercises.at(done).checks.size(), CheckState::Seen), {},
                now.addSecs(-60 * (90 - 20 * done))});
        QList<CheckState> checks(exercise.checks.size(), CheckState::NotYet);
        for (qsizetype seen = 0; seen < qMin<qsizetype>(i % 3 + 1, checks.size()); ++seen)
            checks[seen] = CheckState::Seen;
        const QString stuck = i == 5 ? u"oom_gpu"_s : i == 8 ? u"R205"_s : QString();
        read.lines.append({names.at(i), exercise.id, checks, stuck, now.addSecs(-60 * (2 + 3 * i))});
    }
    made->setProgress(read, now);
    return made;
}

/// The window with what lies over it, as a desktop shows both.
void takeOver(const shots::Camera& camera, const QString& name, MainWindow& window, QWidget& above, QPoint at = {})
{
    if (!camera.wants(name))
        return;
    window.resize(camera.size);
    window.show();
    above.show();
    for (int round = 0; round < 8; ++round)
        QApplication::processEvents();
    const QPixmap upper = above.grab();
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    if (at.isNull()) { // a dialog: in the middle, the window shaded
        painter.fillRect(picture.rect(), QColor(0, 0, 0, 70));
        at = QPoint((picture.width() - upper.width()) / 2, (picture.height() - upper.height()) / 2);
    }
    painter.drawPixmap(at, upper);
    painter.setPen(QColor(128, 128, 128));
    painter.drawRect(QRect(at, upper.size()).adjusted(-1, -1, 0, 0));
    painter.end();
    // Five bits of a colour are enough for the docs, and half the bytes.
    picture.toImage()
        .convertToFormat(QImage::Format_RGB16)
        .convertToFormat(QImage::Format_RGB888)
        .save(camera.folder.filePath(
            u"%1_%2_%3.png"_s.arg(name, camera.dark ? u"dark"_s : u"light"_s).arg(camera.size.width())));
    above.hide();
}

void takeMenu(const shots::Camera& camera, MainWindow& window)
{
    window.resize(camera.size);
    window.show();
    for (int round = 0; round < 8; ++round)
        QApplication::processEvents();
    QAction* file = nullptr;
    QMenuBar* bar = nullptr;
    for (auto* each : window.findChildren<QMenuBar*>())
        for (QAction* action : each->actions())
            if (action->text() == u"&File"_s) {
                file = action;
                bar = each;
            }
    QMenu* menu = file->menu();
    for (QAction* action : menu->actions())
        if (action->text() == u"New &class …"_s)
            menu->setActiveAction(action);
    takeOver(camera, u"teaching_1_menu"_s, window, *menu,
        bar->mapTo(&window, bar->actionGeometry(file).bottomLeft() + QPoint(0, 2)));
}

void shoot(const shots::Camera& camera, Theme& theme)
{
    static const Catalogue catalogue = loadCatalogue();
    const ClassFile file = course();
    Design design(catalogue);
    design.replace(file.exercises.at(2).start);
    MainWindow window(design, theme, {.design = new DesignPage(design)});
    takeMenu(camera, window);
    const auto editor = [&](int tab) {
        auto made = std::make_unique<ClassEditorDialog>(catalogue, file);
        made->setPresent(design.spec());
        made->findChild<QTabWidget*>()->setCurrentIndex(tab);
        return made;
    };
    const auto empty = std::make_unique<ClassEditorDialog>(catalogue, newClass(u"lumi"_s, u"Our course"_s, QString()));
    takeOver(camera, u"teaching_2_new"_s, window, *empty);
    const auto whole = editor(0);
    takeOver(camera, u"teaching_3_class"_s, window, *whole);
    const auto exercises = editor(1);
    exercises->findChild<QListWidget*>()->setCurrentRow(2);
    takeOver(camera, u"teaching_4_exercises"_s, window, *exercises);
    const auto saved = editor(0);
    saved->showSaved(u"/home/ada/course.rwclass"_s, fingerprint);
    takeOver(camera, u"teaching_5_signed"_s, window, *saved);
    const auto site = editor(2);
    site->findChild<QSpinBox*>()->setValue(attendees);
    site->showSite(verdicts(), fit(file));
    takeOver(camera, u"teaching_6_before"_s, window, *site);
    const auto preview = std::make_unique<ClassPreviewDialog>(catalogue, file);
    takeOver(camera, u"teaching_7_preview"_s, window, *preview);
    takeOver(camera, u"teaching_8_consent"_s, window, *consent(file, catalogue));
    takeOver(camera, u"teaching_9_where"_s, window, *progress(file));
}

} // namespace

int main(int argc, char** argv)
{
    return shots::takePictures(argc, argv, [](shots::Camera camera) {
        Theme theme;
        theme.setMode(camera.dark ? Theme::Mode::Dark : Theme::Mode::Light);
        theme.apply();
        shoot(camera, theme);
        if (camera.size.width() == 1280) {
            camera.size = QSize(1024, 700);
            shoot(camera, theme);
        }
    });
}
