// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/submitorder.h"
#include "models/core/linediff.h"
#include "models/script/document/designjson.h"
#include "models/script/read/scriptedit.h"
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/design/findingspanel.h"

#include <QLabel>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The window, the launch and `check` name the same errors of one design, however its script was edited.
class FindingsAgreeTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void onDeletions();
    void onInsertions();

private:
    static JobSpec sample();
    static QStringList sorted(QStringList texts)
    {
        texts.sort();
        return texts;
    }
    /// Errors that the Design page lists.
    QStringList ofTheWindow() const;
    /// Errors that refuse a launch.
    QStringList ofTheLaunch() const;
    /// Errors that `check` prints for the saved design.
    QStringList ofTheCommand() const;
    void compare(const QStringList& lines, const QString& what);

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<QWidget> m_host;
    DesignPage* m_page = nullptr;
    QTemporaryDir m_folder;
    int m_refused = 0; ///< edits after which there is an error
};

JobSpec FindingsAgreeTest::sample()
{
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 2;
    spec.time = Seconds{12 * 3600};
    spec.command = u"train.py"_s;
    return spec;
}

void FindingsAgreeTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_host = std::make_unique<QWidget>();
    m_host->resize(1500, 900);
    m_design = std::make_unique<Design>(m_catalogue);
    m_design->replace(sample());
    m_page = new DesignPage(*m_design, m_host.get());
    m_page->resize(1500, 900);
    m_host->show();
    m_refused = 0;
}

QStringList FindingsAgreeTest::ofTheWindow() const
{
    // Rows of the list before are deleted in the next turn of the event loop.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    const QString mark = u"<b>Error.</b> "_s;
    QStringList texts;
    for (const QLabel* label : m_page->findChild<FindingsPanel*>()->findChildren<QLabel*>()) {
        if (label->text().startsWith(mark))
            texts.append(label->text().mid(mark.size()).remove(QChar(0x200b))); // where a long word may be broken
    }
    return sorted(texts);
}

QStringList FindingsAgreeTest::ofTheLaunch() const
{
    QStringList texts;
    for (const Finding& finding :
        submitOrder(m_design->spec(), m_design->derived(), SubmitPurpose::Submission).findings) {
        if (finding.severity == Severity::Error)
            texts.append(finding.text.toHtmlEscaped());
    }
    return sorted(texts);
}

QStringList FindingsAgreeTest::ofTheCommand() const
{
    QFile file(m_folder.filePath(u"design.json"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(writeDesign(m_design->spec())) < 0)
        return {u"cannot write"_s};
    file.close();
    const test::Answer answer = test::run({u"check"_s, file.fileName(), u"--json"_s});
    QStringList texts;
    for (const QJsonValue& one : answer.json().value(u"findings"_s).toArray()) {
        const QJsonObject finding = one.toObject();
        if (finding.value(u"severity"_s) == u"error"_s)
            texts.append(finding.value(u"text"_s).toString().toHtmlEscaped());
    }
    if (answer.code != (texts.isEmpty() ? 0 : 1))
        return {u"exit code %1: %2"_s.arg(answer.code).arg(answer.err)};
    return sorted(texts);
}

void FindingsAgreeTest::compare(const QStringList& lines, const QString& what)
{
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    m_design->replace(applyScriptEdit(sample(), profile, lines.join(u'\n') + u'\n').exact);
    const QStringList launch = ofTheLaunch();
    const auto compared = [&](const QStringList& texts) -> QString {
        return what + u": "_s + texts.join(u" | "_s) + u" instead of "_s + launch.join(u" | "_s);
    };
    const QStringList window = ofTheWindow(), command = ofTheCommand();
    QVERIFY2(window == launch, qPrintable(compared(window)));
    QVERIFY2(command == launch, qPrintable(compared(command)));
    m_refused += launch.isEmpty() ? 0 : 1;
}

void FindingsAgreeTest::onDeletions()
{
    const QStringList lines = linesOfText(m_design->derived().script.text());
    compare(lines, u"as generated"_s);
    QCOMPARE(m_refused, 0);
    for (qsizetype line = 0; line < lines.size(); ++line) {
        QStringList text = lines;
        const QString gone = text.takeAt(line);
        compare(text, u"without “%1”"_s.arg(gone));
        if (line == 0)
            QCOMPARE(m_refused, 1); // no “#!”
    }
    QVERIFY(m_refused > 1);
}

void FindingsAgreeTest::onInsertions()
{
    const QStringList lines = linesOfText(m_design->derived().script.text());
    for (const QString& added : {u"#SBATCH --exclusive"_s, u"#SBATCH --nodes = 2"_s, u"if true"_s, u"echo <mine>"_s,
             u"export RANK=$SLURM_PROCID"_s, u"#SBATCH --partition=nowhere"_s}) {
        for (qsizetype line = 0; line <= lines.size(); line += 5) {
            QStringList text = lines;
            text.insert(line, added);
            compare(text, u"with “%1” at %2"_s.arg(added).arg(line));
        }
    }
    QVERIFY(m_refused > 10);
}

RANKWRIGHT_WIDGET_TEST_MAIN(FindingsAgreeTest)
#include "tst_findingsagree.moc"
