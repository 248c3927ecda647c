// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keeperquery.h"

#include "app/keeper/keeperposix.h"

#include <QCoreApplication>
#include <QDir>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int patienceMs = 10000;

Unexpected<Error> noAgent()
{
    return fail(Fault::Offline, u"No connection agent runs."_s, {}, u"Start one: rankwright-cli agent start"_s);
}

} // namespace

KeeperQuery::KeeperQuery(KeeperPlace place, QObject* parent) : QObject(parent), m_place(std::move(place))
{
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        end(fail(Fault::TimedOut, u"The connection agent does not answer."_s, {},
            m_status ? u"It is process %1: end it by kill."_s.arg(m_status->pid) : QString()));
    });
}

void KeeperQuery::ask(Then<KeeperStatus> then)
{
    m_stops = false;
    begin(std::move(then));
}

void KeeperQuery::stop(Then<KeeperStatus> then)
{
    m_stops = true;
    begin(std::move(then));
}

void KeeperQuery::begin(Then<KeeperStatus> then)
{
    m_then = std::move(then);
    m_greeted = false;
    m_status.reset();
    // All answers come from the event loop.
    const auto later = [this](const Error& why) {
        QMetaObject::invokeMethod(
            this, [this, why] { end(fail(why)); }, Qt::QueuedConnection);
    };
    if (const auto safe = checkKeeperFolder(m_place); !safe) {
        later(safe.error());
        return;
    }
    Descriptor socket = connectTo(m_place.socket);
    if (!socket.isValid()) {
        later(noAgent().error);
        return;
    }
    if (peerUser(socket.get()) != ownUser()) {
        later({Fault::Invalid, u"The connection agent that answers belongs to another user."_s, {}, {}});
        return;
    }
    m_socket = std::make_unique<FrameSocket>(std::move(socket));
    connect(m_socket.get(), &FrameSocket::frameArrived, this, &KeeperQuery::handleFrame);
    connect(m_socket.get(), &FrameSocket::ended, this, [this](const Error& why) {
        if (m_stops && m_status)
            end(*m_status);
        else
            end(m_greeted ? fail(why) : noAgent());
    });
    m_socket->send({KeeperFrame::Hello, 0,
        helloBody({keeperVersion, QCoreApplication::applicationVersion(), QCoreApplication::applicationPid(),
            QDir::homePath()})});
    m_socket->send({KeeperFrame::AskStatus, 0, {}});
    m_patience.start();
}

void KeeperQuery::handleFrame(const KeeperFrame& frame)
{
    if (frame.kind == KeeperFrame::Refused) {
        end(fail(readError(frame.body)));
    } else if (frame.kind == KeeperFrame::Hello) {
        const auto hello = readHello(frame.body);
        m_greeted = hello.hasValue();
        if (!hello)
            end(fail(hello.error()));
        else if (hello->version != keeperVersion) // the process can be named, though not asked
            end(fail(Fault::Invalid, u"The connection agent that runs belongs to another version of this program."_s,
                u"process %1, Rankwright %2"_s.arg(hello->pid).arg(hello->program),
                u"End it: kill %1"_s.arg(hello->pid)));
    } else if (frame.kind == KeeperFrame::Status && !m_status) {
        const auto status = readStatus(frame.body);
        if (!status || !m_stops) {
            end(status);
            return;
        }
        m_status = *status;
        m_socket->send({KeeperFrame::Stop, 0, {}});
    }
}

void KeeperQuery::end(const Result<KeeperStatus>& status)
{
    m_patience.stop();
    if (m_socket) {
        m_socket->disconnect(this);
        m_socket->hangUp();
        m_socket.release()->deleteLater(); // we may be inside its signal
    }
    if (const Then<KeeperStatus> then = std::exchange(m_then, {}))
        then(status);
}

} // namespace rankwright
