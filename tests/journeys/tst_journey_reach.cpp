// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/connections.h"
#include "tests/app/support/windowbench.h"
#include "tests/journeys/support/practicebench.h"
#include "widgets/forward/reachdialog.h"
#include "widgets/jobs/jobspage.h"

#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QSpinBox>
#include <QTcpSocket>
#include <QTreeWidget>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

/// Two nodes serve their names: on 7001 to everybody, on 7002 to themselves; the output says both, as programs do.
constexpr const char* service
    = "#!/bin/bash\n"
      "#SBATCH --account=%1 --partition=small-g --nodes=2 --ntasks-per-node=1 --time=5 --job-name=reach\n"
      "srun bash -c 'd=$(mktemp -d); cd \"$d\"; hostname >name\n"
      "python3 -m http.server 7001 --bind 0.0.0.0 >/dev/null 2>&1 &\n"
      "python3 -m http.server 7002 --bind 127.0.0.1 >/dev/null 2>&1 &\n"
      "[ $SLURM_PROCID = 1 ] && echo \"TensorBoard 2.16.2 at http://localhost:7002/ (Press CTRL+C to quit)\"; wait'\n";

} // namespace

/// A port of a running job in the real window: Jobs page, its button, the dialog, and bytes from the node.
class JourneyReachTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void portFromTheJobsPage();

private:
    template <typename Widget>
    static Widget* withText(const QWidget& within, const QString& text)
    {
        for (Widget* one : within.findChildren<Widget*>()) {
            if (one->text() == text)
                return one;
        }
        return nullptr;
    }
    static QByteArray fetch(int port)
    {
        QTcpSocket socket;
        socket.connectToHost(u"127.0.0.1"_s, static_cast<quint16>(port));
        socket.write("GET /name HTTP/1.0\r\n\r\n");
        QByteArray all;
        const bool isOver = test::comes([&] {
            all += socket.readAll();
            return socket.state() == QAbstractSocket::UnconnectedState && !socket.bytesAvailable();
        });
        return isOver ? all : QByteArray("no end of: " + all);
    }
    /// With RANKWRIGHT_SHOTS=FOLDER a picture is kept.
    static void keep(QWidget& widget, const QString& name)
    {
        if (const QString folder = qEnvironmentVariable("RANKWRIGHT_SHOTS"); !folder.isEmpty())
            QVERIFY(widget.grab().save(folder + u'/' + name + u".png"_s));
    }

    PracticeBench m_practice;
    QTemporaryDir m_folder;
    std::unique_ptr<WindowBench> m_bench;
};

void JourneyReachTest::initTestCase()
{
    const QString missing = m_practice.prepare();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void JourneyReachTest::cleanup()
{
    m_bench.reset();
    m_practice.cancelAll();
}

void JourneyReachTest::portFromTheJobsPage()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    const QString job = m_practice.submitted(service);
    QVERIFY2(!job.isEmpty(), "sbatch");
    m_bench = std::make_unique<WindowBench>(m_folder.path());
    QVERIFY(m_bench->start({1024, 700}));
    Connections& connections = m_bench->workbench->connections();
    connections.connectTo(u"practice"_s);
    QTRY_VERIFY(connections.isOnline(u"practice"_s));
    m_bench->window().showPage(MainWindow::Page::Jobs);
    JobsPage& page = *m_bench->window().pages().jobs;
    QPushButton* reach = withText<QPushButton>(page, u"Ports and shell …"_s);
    QVERIFY(reach);
    QTRY_VERIFY((page.selectJob(job, u"practice"_s), reach->isVisible()));
    keep(m_bench->window(), u"reach_jobs"_s);
    reach->click();
    const auto dialog = [this] { return m_bench->window().findChild<ReachDialog*>(); };
    QTRY_VERIFY(dialog() && dialog()->isVisible());
    auto* port = dialog()->findChild<QSpinBox*>();
    QTRY_COMPARE(port->value(), 7002); // what the output says
    dialog()->setNode(u"nid005002"_s);
    withText<QPushButton>(*dialog(), u"Bring it here"_s)->click();
    const auto* list = dialog()->findChild<QTreeWidget*>();
    QTRY_COMPARE(list->topLevelItemCount(), 1);
    QTRY_VERIFY2(list->topLevelItem(0)->text(3).startsWith(u"Through a Slurm step on nid005002"_s),
        qPrintable(list->topLevelItem(0)->text(3)));
    const int here = list->topLevelItem(0)->text(0).section(u':', 1).toInt();
    const QByteArray answer = fetch(here);
    QVERIFY2(answer.endsWith("nid005002\n"), answer.constData());
    port->setValue(7001);
    withText<QPushButton>(*dialog(), u"Bring it here"_s)->click();
    QTRY_COMPARE(list->topLevelItemCount(), 2);
    QTRY_VERIFY2(list->topLevelItem(1)->text(3).startsWith(u"From the login node"_s),
        qPrintable(list->topLevelItem(1)->text(3)));
    QVERIFY(fetch(list->topLevelItem(1)->text(0).section(u':', 1).toInt()).endsWith("nid005002\n"));
    quietFor(700); // for the picture
    keep(*dialog(), u"reach_ports"_s);
    m_practice.remote(u"scancel "_s + job);
    QTRY_VERIFY2(list->topLevelItem(0)->text(3).startsWith(u"Job "_s), qPrintable(list->topLevelItem(0)->text(3)));
}

RANKWRIGHT_WIDGET_TEST_MAIN(JourneyReachTest)
#include "tst_journey_reach.moc"
