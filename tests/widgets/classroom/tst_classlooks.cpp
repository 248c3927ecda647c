// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/design.h"
#include "models/teaching/classroom/classprogress.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/readable.h"
#include "widgets/base/theme.h"
#include "widgets/classroom/classconsentdialog.h"
#include "widgets/classroom/classeditordialog.h"
#include "widgets/classroom/classpreviewdialog.h"
#include "widgets/classroom/classprogressdialog.h"

#include <QApplication>
#include <QDir>
#include <QTabWidget>

#include <functional>
#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The dialogs of classes in every look and size: nothing cut, nothing over another, nothing without a name, nothing
/// pale. With RANKWRIGHT_SHOTS=FOLDER they are kept as pictures.
class ClassLooksTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void isReadable_data();
    void isReadable();

private:
    struct Shown {
        QString name;
        std::function<std::unique_ptr<QDialog>(const ClassLooksTest&)> make;
        QList<QSize> sizes;
    };
    static QList<Shown> dialogs();
    static ClassFile lumi();

    Theme m_theme;
    const Catalogue m_catalogue = loadCatalogue();
};

void ClassLooksTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
}

ClassFile ClassLooksTest::lumi()
{
    for (const ShippedClass& one : shippedClasses())
        if (one.name == u"lumi-ai-course"_s)
            return one.file;
    return {};
}

QList<ClassLooksTest::Shown> ClassLooksTest::dialogs()
{
    const auto consent = [](ClassConsent::Trust trust) {
        return [trust](const ClassLooksTest&) -> std::unique_ptr<QDialog> {
            ClassConsent made;
            made.title = u"Getting started with AI on LUMI"_s;
            made.author = u"Ada, Institute of Large Machines"_s;
            made.effects = {
                u"When you press Connect, this program connects to LUMI at lumi.csc.fi. The host comes from this program's catalogue; the file cannot name one."_s,
                u"It sets project project_465000001, partition standard-g, reservation AI_workshop."_s};
            made.trust = trust;
            made.fingerprint = u"SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG"_s;
            made.knownFingerprint = u"SHA256:another9abcdefghijklmnopqrstuvwxyzABCDEFG01"_s;
            made.why = u"This class was signed by another key than the one you accepted before."_s;
            made.forget = u"rankwright-cli class forget '/home/ada/Downloads/course.rwclass'"_s;
            made.sharedFile = u"/scratch/project_465000001/course/k7m2p4xq.progress"_s;
            made.sharedLine = {u"k7m2p4xq"_s, u"single-gcd"_s, {CheckState::NotYet}, {},
                QDateTime::fromString(u"2026-12-01T09:00:00Z"_s, Qt::ISODate), u"Ada"_s};
            return std::make_unique<ClassConsentDialog>(made);
        };
    };
    const auto editor = [](int tab) {
        return [tab](const ClassLooksTest& test) -> std::unique_ptr<QDialog> {
            auto made = std::make_unique<ClassEditorDialog>(test.m_catalogue, lumi());
            made->findChild<QTabWidget*>()->setCurrentIndex(tab);
            if (tab == 2)
                made->showSite({{SiteState::Good, u"Project"_s, u"project_465000001 is yours there."_s},
                    {SiteState::Bad, u"Reservation"_s, u"There is no reservation AI_workshop on the cluster."_s},
                    {SiteState::Unknown, u"Size"_s, u"The cluster did not say how large it is."_s}});
            return made;
        };
    };
    const auto preview = [](const ClassLooksTest& test) -> std::unique_ptr<QDialog> {
        return std::make_unique<ClassPreviewDialog>(test.m_catalogue, lumi());
    };
    const auto progress = [](const ClassLooksTest&) -> std::unique_ptr<QDialog> {
        ClassFile file = lumi();
        file.progressFolder = u"/scratch/course"_s;
        auto made = std::make_unique<ClassProgressDialog>(file);
        const QDateTime now = QDateTime::currentDateTimeUtc();
        const QString first = file.exercises.first().id;
        made->setProgress(
            {{{u"ada"_s, first, {CheckState::Seen, CheckState::Seen}, {}, now.addSecs(-60)},
                 {u"grace"_s, first, {CheckState::Seen, CheckState::NotYet}, u"oom_gpu"_s, now.addSecs(-900)}},
                0},
            now);
        return made;
    };
    const QList<QSize> high{{560, 560}, {420, 420}};
    const QList<QSize> wide{{1000, 740}, {860, 660}};
    return {{u"consent-first"_s, consent(ClassConsent::Trust::First), high},
        {u"consent-known"_s, consent(ClassConsent::Trust::Known), high},
        {u"consent-changed"_s, consent(ClassConsent::Trust::Changed), high}, {u"editor-class"_s, editor(0), wide},
        {u"editor-exercises"_s, editor(1), wide}, {u"editor-site"_s, editor(2), wide},
        {u"preview"_s, preview, {{400, 680}, {560, 740}}}, {u"progress"_s, progress, {{820, 460}, {960, 640}}}};
}

void ClassLooksTest::isReadable_data()
{
    QTest::addColumn<int>("dialog");
    QTest::addColumn<int>("mode");
    for (int dialog = 0; dialog < int(dialogs().size()); ++dialog) {
        for (const auto& [name, mode] : {std::pair{"light", Theme::Mode::Light}, {"dark", Theme::Mode::Dark},
                 {"high contrast", Theme::Mode::HighContrast}})
            QTest::addRow("%s, %s", qPrintable(dialogs().at(dialog).name), name) << dialog << int(mode);
    }
}

void ClassLooksTest::isReadable()
{
    QFETCH(const int, dialog);
    QFETCH(const int, mode);
    m_theme.setMode(Theme::Mode(mode));
    m_theme.apply();
    const Shown shown = dialogs().at(dialog);
    const auto window = shown.make(*this);
    window->show();
    QVERIFY(QTest::qWaitForWindowExposed(window.get(), test::longWaitMs));
    QStringList faults;
    const auto note = [&faults](const QSize& size, const char* what, const QStringList& found) {
        for (const QString& each : found)
            faults.append(u"%1×%2, %3: %4"_s.arg(size.width()).arg(size.height()).arg(QLatin1String(what), each));
    };
    for (const QSize& size : shown.sizes) {
        window->resize(size);
        for (int round = 0; round < 4; ++round)
            QApplication::processEvents();
        (void)test::comes([&window] { return test::clippedTexts(*window).isEmpty(); });
        if (const QString folder = qEnvironmentVariable("RANKWRIGHT_SHOTS"); !folder.isEmpty()) {
            QDir().mkpath(folder);
            window->grab().save(
                u"%1/class-%2_%3_%4x%5.png"_s.arg(folder, shown.name).arg(mode).arg(size.width()).arg(size.height()));
        }
        note(size, "cut", test::clippedTexts(*window));
        note(size, "overlaps", test::overlappingTexts(*window));
        note(size, "nameless", test::namelessControls(*window));
        note(size, "pale", test::paleTexts(*window, Theme::Mode(mode) == Theme::Mode::HighContrast ? 7.0 : 4.5));
    }
    faults.removeDuplicates();
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

RANKWRIGHT_WIDGET_TEST_MAIN(ClassLooksTest)
#include "tst_classlooks.moc"
