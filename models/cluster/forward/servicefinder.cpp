// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/forward/servicefinder.h"

#include "models/core/shellquote.h"

#include <QRegularExpression>
#include <QUrl>
#include <QUrlQuery>

#include <array>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostServices = 16;
constexpr qsizetype longestLine = 4096;

struct KnownService {
    QLatin1StringView word; ///< in the line, or the line before the addresses
    QLatin1StringView name;
};
constexpr std::array known{
    KnownService{"tensorboard"_L1, "TensorBoard"_L1},
    KnownService{"jupyter"_L1, "Jupyter"_L1},
    KnownService{"notebook"_L1, "Jupyter"_L1},
    KnownService{"gradio"_L1, "Gradio"_L1},
    KnownService{"streamlit"_L1, "Streamlit"_L1},
    KnownService{"mlflow"_L1, "MLflow"_L1},
    KnownService{"ray"_L1, "Ray"_L1},
    KnownService{"dask"_L1, "Dask"_L1},
    KnownService{"bokeh"_L1, "Bokeh"_L1},
    KnownService{"uvicorn"_L1, "Uvicorn"_L1},
    KnownService{"nsight"_L1, "Nsight"_L1},
    KnownService{"aim"_L1, "Aim"_L1},
};

QString nameIn(const QString& text)
{
    for (const KnownService& service : known) {
        const QRegularExpression word(u"\\b"_s + service.word, QRegularExpression::CaseInsensitiveOption);
        if (word.match(text).hasMatch())
            return service.name;
    }
    return {};
}

bool isMachineItself(const QString& host)
{
    return host == "localhost"_L1 || host.startsWith("127."_L1) || host == "0.0.0.0"_L1 || host == "::"_L1
        || host == "::1"_L1;
}

bool isPrivate(const QString& host)
{
    static const QRegularExpression form(uR"(^(10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2,3}\z)"_s);
    return form.match(host).hasMatch();
}

} // namespace

std::optional<FoundService> ServiceFinder::serviceOf(const QString& line, qsizetype from) const
{
    static const QRegularExpression address(
        uR"(https?://(\[[0-9A-Fa-f:]{2,45}\]|[A-Za-z0-9._-]{1,253}):(\d{1,5})(?![\d])([^\s"'<>`]{0,1024}))"_s);
    const auto match = address.match(line, from);
    if (!match.hasMatch() || match.capturedStart() != from)
        return {};
    FoundService service;
    service.isSecure = line.mid(from, 5) == "https"_L1;
    service.port = match.captured(2).toInt();
    if (service.port < 1 || service.port > 65535)
        return {};
    QString host = match.captured(1).toLower();
    host.remove(u'[').remove(u']');
    if (!isMachineItself(host)) {
        for (const QString& node : m_nodes) {
            const QString name = node.toLower();
            if (host == name || host.section(u'.', 0, 0) == name.section(u'.', 0, 0))
                service.node = node;
        }
        if (service.node.isEmpty() && !isPrivate(host))
            return {};
    }
    QString rest = match.captured(3);
    static const QRegularExpression tail(uR"([).,;\]]+\z)"_s); // of the sentence around it
    rest.remove(tail);
    const QUrl url(u"http://x"_s + (rest.startsWith(u'/') ? rest : u'/' + rest), QUrl::TolerantMode);
    service.path = url.path();
    service.token = QUrlQuery(url).queryItemValue(u"token"_s, QUrl::FullyDecoded);
    if (service.token == "..."_L1) // Jupyter's own way to hide it
        service.token.clear();
    return service;
}

bool ServiceFinder::read(const QString& line)
{
    const QString text = line.left(longestLine);
    if (!text.contains("://"_L1)) { // as nearly all are
        m_before = text;
        m_lastName.clear();
        return false;
    }
    QString name = nameIn(text);
    if (name.isEmpty() && m_lastName.isEmpty())
        m_lastName = nameIn(std::exchange(m_before, {}));
    bool isNew = false;
    for (qsizetype at = text.indexOf("http"_L1); at >= 0; at = text.indexOf("http"_L1, at + 4)) {
        auto service = serviceOf(text, at);
        if (!service)
            continue;
        service->name = name.isEmpty() ? m_lastName : name;
        if (service->name.isEmpty() && !service->token.isEmpty())
            service->name = u"Jupyter"_s;
        const auto same = std::find_if(
            m_found.begin(), m_found.end(), [&](const FoundService& each) { return each.port == service->port; });
        if (same != m_found.end()) {
            // Jupyter says the same twice, by the node's name and by 127.0.0.1.
            if (service->node.isEmpty())
                service->node = same->node;
            if (service->token.isEmpty())
                service->token = same->token;
            if (service->name.isEmpty())
                service->name = same->name;
            if (*same == *service)
                continue;
            *same = *service;
        } else {
            if (m_found.size() >= mostServices)
                m_found.removeFirst();
            m_found.append(*service);
        }
        isNew = true;
    }
    if (!name.isEmpty())
        m_lastName = name;
    return isNew;
}

RemoteCommand serviceQuestion(const QString& outputPath)
{
    const QString path = shellQuote(outputPath);
    return RemoteCommand::shell(u"export LC_ALL=C; { head -c 4194304 -- "_s + path + u"; tail -c 1048576 -- "_s + path
        + u"; } 2>/dev/null | grep -a -B1 -F -e :// | cut -c1-2000 | tail -n 200"_s)
        .withPurpose(u"Looks for addresses of services in a job's output"_s);
}

namespace {

QUrl localUrl(const FoundService& service, int localPort)
{
    QUrl url;
    url.setScheme(service.isSecure ? u"https"_s : u"http"_s);
    url.setHost(u"127.0.0.1"_s);
    url.setPort(localPort);
    url.setPath(service.path.isEmpty() ? u"/"_s : service.path);
    return url;
}

} // namespace

QString localAddress(const FoundService& service, int localPort)
{
    return localUrl(service, localPort).toString(QUrl::FullyEncoded);
}

QString localAddressWithToken(const FoundService& service, int localPort)
{
    QUrl url = localUrl(service, localPort);
    if (!service.token.isEmpty())
        url.setQuery(u"token="_s + QString::fromLatin1(QUrl::toPercentEncoding(service.token)));
    return url.toString(QUrl::FullyEncoded);
}

} // namespace rankwright::inline cluster
