// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/classopener.h"

#include "app/base/settings.h"
#include "app/base/whendone.h"
#include "models/core/harmlesstext.h"
#include "models/teaching/classroom/classeffects.h"
#include "models/teaching/classroom/classplace.h"
#include "models/teaching/classroom/classprogress.h"
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "widgets/classroom/classconsentdialog.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr QLatin1StringView shippedMark("shipped:");

ClassConsent::Trust consentTrust(ClassTrust trust)
{
    switch (trust) {
    case ClassTrust::Shipped: return ClassConsent::Trust::Shipped;
    case ClassTrust::KnownKey: return ClassConsent::Trust::Known;
    case ClassTrust::NewKey: return ClassConsent::Trust::First;
    case ClassTrust::ChangedKey: return ClassConsent::Trust::Changed;
    case ClassTrust::Unsigned:
    case ClassTrust::Broken: break;
    }
    return ClassConsent::Trust::Refused;
}

/// For a shell: a path with whatever characters.
QString quoted(const QString& path) { return u'\'' + QString(path).replace(u'\'', u"'\\''"_s) + u'\''; }

} // namespace

ClassOpener::ClassOpener(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts) { }

ClassOpener::~ClassOpener() = default;

ClassConsentDialog* ClassOpener::question() const { return m_question; }

void ClassOpener::openAgain(const QString& path)
{
    if (path.startsWith(shippedMark))
        openShipped(path.mid(shippedMark.size()));
    else
        open(path);
}

void ClassOpener::resume(const QString& path, const QString& agreed)
{
    read(path, [this, agreed](const OpenedClass& opened) {
        const ClassTrust trust = opened.verdict.trust;
        if ((trust == ClassTrust::KnownKey || trust == ClassTrust::Shipped) && classDigest(opened.file) == agreed
            && m_parts.catalogue.find(opened.file.cluster))
            emit classResumed(opened);
        else
            ask(opened);
    });
}

Result<OpenedClass> ClassOpener::readAndVerify(const QString& path, const QString& dataFolder)
{
    if (path.startsWith(shippedMark)) {
        for (const ShippedClass& shipped : shippedClasses()) {
            if (path == shippedMark + shipped.name)
                return OpenedClass{shipped.file, {ClassTrust::Shipped, {}, {}, {}}, path};
        }
        return fail(Fault::Invalid, tr("There is no class of this name in the program."));
    }
    // Neither a pipe that never ends nor a device: only what has a size is opened.
    const QFileInfo info(path);
    if (!info.isFile() || info.size() > classbounds::bytes)
        return fail(Fault::Unreadable,
            info.isFile() ? tr("“%1” is larger than a class file can be.").arg(harmlessLine(info.fileName()))
                          : tr("“%1” is not a file.").arg(harmlessLine(path)),
            {}, tr("Choose a file whose name ends with .rwclass."));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Fault::Io, tr("“%1” cannot be read.").arg(harmlessLine(path)), file.errorString(),
            tr("Check its permissions."));
    const auto read = readClass(file.read(classbounds::bytes + 1), harmlessLine(info.fileName()));
    if (!read)
        return fail(read.error());
    if (const auto expired = expiryFault(*read, QDateTime::currentDateTimeUtc()))
        return fail(*expired);
    const auto verdict = verifyClass(*read, dataFolder);
    if (!verdict)
        return fail(verdict.error());
    return OpenedClass{*read, *verdict, info.absoluteFilePath()};
}

void ClassOpener::open(const QString& path)
{
    if (path.isEmpty()) {
        askFile();
        return;
    }
    read(path, [this](const OpenedClass& opened) { ask(opened); });
}

void ClassOpener::read(const QString& path, const std::function<void(const OpenedClass&)>& then)
{
    const int asked = ++m_asked;
    const auto reading = QtConcurrent::run([path, folder = m_parts.dataFolder] { return readAndVerify(path, folder); });
    whenDone(reading, this, [this, asked, then](const Result<OpenedClass>& opened) {
        if (asked != m_asked)
            return;
        if (opened) {
            then(*opened);
            return;
        }
        m_parts.window.showNotice(Notice::Class, opened.error().oneLine());
        emit failed(opened.error());
    });
}

void ClassOpener::openShipped(const QString& name)
{
    ++m_asked;
    const auto opened = readAndVerify(shippedMark + name, m_parts.dataFolder); // it is in the program: at once
    if (opened)
        ask(*opened);
}

void ClassOpener::openLink(const QString& link)
{
    const auto address = readClassAddress(link);
    if (!address) {
        m_parts.window.showNotice(Notice::Class, address.error().oneLine());
        emit failed(address.error());
    } else if (!address->file.isEmpty()) {
        open(address->file);
    } else {
        m_parts.window.showNotice(Notice::Class,
            tr("The class is at %1. Download the file in your browser, then open it here: nothing is fetched by itself.")
                .arg(address->url),
            tr("Copy the address"), [url = address->url] { QApplication::clipboard()->setText(url); });
    }
}

void ClassOpener::askFile()
{
    auto* dialog = new QFileDialog(&m_parts.window, tr("Open a class file"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters({tr("Class files (*.rwclass)"), tr("All files (*)")});
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ClassOpener::open);
    dialog->open();
}

void ClassOpener::ask(const OpenedClass& opened)
{
    if (m_question)
        m_question->close();
    const ClassFile& file = opened.file;
    ClassConsent consent;
    consent.title = file.title;
    consent.author = file.author;
    consent.effects = classEffects(file, m_parts.catalogue);
    consent.trust = consentTrust(opened.verdict.trust);
    consent.clusterKnown = m_parts.catalogue.find(file.cluster) != nullptr;
    consent.fingerprint = opened.verdict.fingerprint;
    consent.knownFingerprint = opened.verdict.knownFingerprint;
    consent.why = opened.verdict.why.oneLine();
    consent.forget = u"rankwright-cli class forget "_s + quoted(opened.path);
    const ClassPlace place = readPlace(m_parts.settings.classPlace(placeKey(file)));
    const QString alias = isAlias(place.alias) ? place.alias : newAlias();
    if (!file.progressFolder.isEmpty()) {
        const ClassExercise& first = file.exercises.first();
        consent.sharedFile = file.progressFolder + u'/' + alias + u".progress"_s;
        consent.sharedLine = {alias, first.id, QList<CheckState>(first.checks.size(), CheckState::NotYet), {},
            QDateTime::currentDateTimeUtc(), place.name};
    }
    m_question = new ClassConsentDialog(consent, &m_parts.window);
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    if (opened.verdict.isUsable() && consent.clusterKnown)
        connect(m_question, &QDialog::accepted, this, [this, opened, alias, dialog = m_question.data()] {
            accept(opened, {dialog->sharesProgress(), alias, dialog->sharedName()});
        });
    m_question->open();
}

/// The key is remembered before anything begins: what cannot be remembered could not be compared the next time.
void ClassOpener::accept(const OpenedClass& opened, const AgreedSharing& sharing)
{
    if (opened.verdict.trust != ClassTrust::NewKey) {
        emit classAccepted(opened, sharing);
        return;
    }
    const int asked = ++m_asked;
    const auto remembering = QtConcurrent::run([opened, folder = m_parts.dataFolder] {
        return rememberClassKey(opened.file, opened.verdict.fingerprint, folder);
    });
    whenDone(remembering, this, [this, asked, opened, sharing](const Result<void>& done) {
        if (asked != m_asked)
            return;
        if (done) {
            emit classAccepted(opened, sharing);
            return;
        }
        m_parts.window.showNotice(Notice::Class, done.error().oneLine());
        emit failed(done.error());
    });
}

} // namespace rankwright
