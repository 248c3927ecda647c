// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshauth.h"

#include "models/core/logging.h"

#include <QDateTime>
#include <QFileInfo>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostPartials = 8; // a server that never says the last word
constexpr int mostEmptyRounds = 20; // likewise
constexpr int mostRounds = 30; // of questions: three tries of two or three are usual

QString methodNames(int methods)
{
    QStringList names;
    if (methods & SSH_AUTH_METHOD_PUBLICKEY)
        names << u"key"_s;
    if (methods & SSH_AUTH_METHOD_INTERACTIVE)
        names << u"keyboard-interactive"_s;
    if (methods & SSH_AUTH_METHOD_PASSWORD)
        names << u"password"_s;
    if (methods & SSH_AUTH_METHOD_GSSAPI_MIC)
        names << u"GSSAPI (not supported here)"_s;
    if (methods & SSH_AUTH_METHOD_HOSTBASED)
        names << u"host-based (not supported here)"_s;
    return names.isEmpty() ? u"nothing that is known here"_s : names.join(u", "_s);
}

} // namespace

SshAuth::SshAuth(ssh_session session, const SshEndpoint& endpoint, ClusterLink::Attendance attendance, HintSink hint)
    : m_session(session), m_endpoint(endpoint), m_attendance(attendance), m_hint(std::move(hint))
{
    const QStringList files = identityFiles(endpoint);
    for (const QString& file : files)
        m_identities.push_back(readIdentity(file, endpoint.certificates));
}

SshAuth::~SshAuth() = default;

SshAuth::Stage SshAuth::stageAfter(Stage stage)
{
    switch (stage) {
    case Stage::None: return Stage::Agent;
    case Stage::Agent: return Stage::Keys;
    case Stage::Keys: return Stage::AgentRest;
    case Stage::AgentRest: return Stage::Interactive;
    case Stage::Interactive: return Stage::Password;
    case Stage::Password:
    case Stage::Over: break;
    }
    return Stage::Over;
}

SshAuth::Step SshAuth::advance()
{
    while (true) {
        switch (step()) {
        case Outcome::Busy: return Step::Busy;
        case Outcome::Ask: return Step::Ask;
        case Outcome::Done: return Step::Done;
        case Outcome::Failed: return Step::Failed;
        case Outcome::Again: break;
        case Outcome::Next: m_stage = stageAfter(m_stage); break;
        }
    }
}

SshAuth::Outcome SshAuth::step()
{
    if (m_asking && !m_answer)
        return Outcome::Ask;
    if (m_answer && !m_answer->accepted)
        return failWith(Fault::Cancelled, u"The login to %1 was cancelled."_s.arg(m_endpoint.host), {}, {});
    switch (m_stage) {
    case Stage::None: return outcomeOf(ssh_userauth_none(m_session, nullptr), Outcome::Next);
    case Stage::Agent:
    case Stage::AgentRest: return tryAgent();
    case Stage::Keys: return tryKeys();
    case Stage::Interactive: return tryInteractive();
    case Stage::Password: return tryPassword();
    case Stage::Over: break;
    }
    return giveUp();
}

void SshAuth::answer(const PromptAnswer& answer)
{
    m_answer = answer;
    m_asking = false;
}

SshAuth::Outcome SshAuth::outcomeOf(int rc, Outcome otherwise)
{
    m_callPending = rc == SSH_AUTH_AGAIN;
    switch (rc) {
    case SSH_AUTH_AGAIN: return Outcome::Busy;
    case SSH_AUTH_SUCCESS: return Outcome::Done;
    case SSH_AUTH_PARTIAL: return afterPartialSuccess();
    default: break;
    }
    if (!ssh_is_connected(m_session)) {
        if (m_tries > 0) // sshd hangs up after some refused answers
            return giveUp();
        const bool offering = m_stage == Stage::Agent || m_stage == Stage::AgentRest;
        return failWith(Fault::LoginRefused, u"%1 ended the login."_s.arg(m_endpoint.host),
            QStringList{libraryText(m_session), banner()}.join(u'\n').trimmed(),
            offering ? u"Servers hang up after some six keys: choose the right key file in the connection's settings."_s
                     : u"After several refused tries many servers block for some minutes."_s);
    }
    if (rc == SSH_AUTH_DENIED) {
        m_methods = ssh_userauth_list(m_session, nullptr);
        m_offered |= m_methods;
    }
    return otherwise;
}

/// The server took what it got and wants more, a code after the key for example.
SshAuth::Outcome SshAuth::afterPartialSuccess()
{
    m_methods = ssh_userauth_list(m_session, nullptr);
    m_offered = m_methods;
    if (++m_partials > mostPartials)
        return giveUp();
    m_tries = 0;
    switch (m_stage) {
    case Stage::Keys: return nextIdentity();
    case Stage::Interactive:
    case Stage::Password:
        m_stage = Stage::Agent;
        m_identity = 0;
        return Outcome::Again;
    default: return Outcome::Next;
    }
}

void SshAuth::prepareAgent()
{
    const QString socket
        = m_endpoint.agentSocket.isEmpty() ? qEnvironmentVariable("SSH_AUTH_SOCK") : m_endpoint.agentSocket;
    m_agentUsable = !socket.isEmpty() && socket != u"none";
    if (!m_agentUsable)
        return;
    m_agentShownWhole = m_endpoint.identities.isEmpty() && !m_endpoint.identitiesOnly;
    std::optional<QList<QByteArray>> allowed;
    if (!m_agentShownWhole) {
        allowed.emplace();
        for (const SshIdentity& identity : m_identities)
            *allowed << publicBlob(identity.publicKey.get()) << publicBlob(identity.certificate.get());
    }
    m_filter = AgentFilter::open(socket, allowed, [hint = m_hint](AgentFilter::Waits waits) {
        if (hint)
            hint(waits == AgentFilter::Waits::Touch         ? u"Touch your security key now."_s
                    : waits == AgentFilter::Waits::Question ? u"Your key agent waits: it may ask you something in a "
                                                              u"window of its own."_s
                                                            : QString());
    });
    m_agentUsable = m_filter && ssh_set_agent_socket(m_session, m_filter->takeClientEnd()) == SSH_OK;
}

SshAuth::Outcome SshAuth::tryAgent()
{
    const bool rest = m_stage == Stage::AgentRest;
    if (!offers(SSH_AUTH_METHOD_PUBLICKEY))
        return Outcome::Next;
    if (!m_callPending) {
        if (!rest && !m_filter)
            prepareAgent();
        // A second round only where the first one saw a part of the keys.
        if (!m_agentUsable || (rest && (m_agentShownWhole || m_endpoint.identitiesOnly)))
            return Outcome::Next;
        if (rest)
            m_filter->allowAll();
        else
            m_tried << u"the agent's keys"_s;
    }
    return outcomeOf(ssh_userauth_agent(m_session, nullptr), Outcome::Next);
}

SshAuth::Outcome SshAuth::nextIdentity()
{
    ++m_identity;
    m_keyAccepted = false;
    m_passphraseTries = 0;
    m_notice.clear();
    m_serverTexts.clear();
    m_private.reset();
    return Outcome::Again;
}

SshAuth::Outcome SshAuth::tryKeys()
{
    if (!offers(SSH_AUTH_METHOD_PUBLICKEY) || m_identity >= m_identities.size())
        return Outcome::Next;
    SshIdentity& identity = m_identities[m_identity];
    return m_keyAccepted ? signWithKey(identity) : offerKey(identity);
}

SshAuth::Outcome SshAuth::offerKey(SshIdentity& identity)
{
    ssh_key key = identity.certificate ? identity.certificate.get() : identity.publicKey.get();
    if (!key) { // an old PEM file without its .pub: only decrypting shows it
        m_keyAccepted = true;
        return Outcome::Again;
    }
    const int rc = ssh_userauth_try_publickey(m_session, nullptr, key);
    if (rc == SSH_AUTH_SUCCESS) {
        m_callPending = false;
        m_keyAccepted = true;
        return Outcome::Again;
    }
    const Outcome outcome = outcomeOf(rc, Outcome::Again);
    if (outcome != Outcome::Again)
        return outcome;
    m_tried << QFileInfo(identity.path).fileName();
    if (identity.certificate && identity.publicKey) {
        identity.certificate.reset(); // the plain key may still be listed
        return Outcome::Again;
    }
    return nextIdentity();
}

SshAuth::Outcome SshAuth::signWithKey(const SshIdentity& identity)
{
    if (!m_private) {
        std::optional<Secret> passphrase;
        if (m_answer) {
            passphrase = m_answer->answers.value(0);
            m_answer.reset();
            if (passphrase->isEmpty()) // as with the OpenSSH client: go on without this key
                return nextIdentity();
        }
        PrivateKey read = readPrivateKey(identity, passphrase);
        if (read.problem == PrivateKey::Problem::Unreadable) {
            m_tried << (identity.isOnToken()
                    ? u"%1 (on a security key: it logs in through the agent only, ssh-add %1)"_s.arg(identity.path)
                    : u"%1 (cannot be read)"_s.arg(identity.path));
            return nextIdentity();
        }
        if (read.problem == PrivateKey::Problem::NeedsPassphrase) {
            if (passphrase && ++m_passphraseTries >= mostTries) {
                m_tried << u"%1 (wrong passphrase)"_s.arg(identity.path);
                return nextIdentity();
            }
            if (m_attendance == ClusterLink::Attendance::Nobody) // others may need none
                return nextIdentity();
            m_notice = passphrase ? u"That passphrase does not open the key."_s : QString();
            return ask(LoginPrompt::Kind::Passphrase, {{identity.path, false}});
        }
        m_private = std::move(read.key);
    }
    const Outcome outcome = outcomeOf(ssh_userauth_publickey(m_session, nullptr, m_private.get()), Outcome::Next);
    if (outcome == Outcome::Busy)
        return outcome;
    m_private.reset();
    if (outcome != Outcome::Next)
        return outcome;
    m_tried << QFileInfo(identity.path).fileName();
    return nextIdentity();
}

SshAuth::Outcome SshAuth::tryInteractive()
{
    if (!offers(SSH_AUTH_METHOD_INTERACTIVE))
        return Outcome::Next;
    if (m_attendance == ClusterLink::Attendance::Nobody)
        return needsPerson();
    m_tookPerson = true; // already beginning may wake a telephone
    if (m_answer)
        fillAnswers();
    const int rc = ssh_userauth_kbdint(m_session, nullptr, nullptr);
    if (rc == SSH_AUTH_INFO) {
        m_callPending = false;
        return collectQuestions();
    }
    const Outcome outcome = outcomeOf(rc, Outcome::Next);
    if (outcome == Outcome::Next && m_personAnswered)
        return refusedSecret();
    return outcome;
}

SshAuth::Outcome SshAuth::collectQuestions()
{
    const int count = ssh_userauth_kbdint_getnprompts(m_session);
    const QString title = printableLine(ssh_userauth_kbdint_getname(m_session), 200);
    const QString instruction = printableText(ssh_userauth_kbdint_getinstruction(m_session));
    if (!instruction.isEmpty())
        m_serverTexts = QString(m_serverTexts + u'\n' + instruction).trimmed().right(4000);
    if (count <= 0) {
        if (++m_emptyRounds > mostEmptyRounds)
            return giveUp();
        return Outcome::Again; // the next call sends the empty answer
    }
    if (++m_rounds > mostRounds)
        return failWith(Fault::LoginRefused, u"%1 does not stop asking."_s.arg(m_endpoint.host),
            u"%1 rounds of questions were answered."_s.arg(mostRounds), u"Show this to the site's help desk."_s);
    QList<LoginPrompt::Question> questions;
    for (int i = 0; i < count; ++i) {
        char echo = 0;
        const QString text
            = printableLine(ssh_userauth_kbdint_getprompt(m_session, static_cast<unsigned>(i), &echo), 400);
        questions << LoginPrompt::Question{text, echo != 0};
    }
    ask(LoginPrompt::Kind::KeyboardInteractive, questions);
    m_prompt.title = title;
    m_prompt.instruction = std::exchange(m_serverTexts, {});
    return Outcome::Ask;
}

void SshAuth::fillAnswers()
{
    for (qsizetype i = 0; i < m_prompt.questions.size(); ++i) {
        const Secret secret = m_answer->answers.value(i);
        ssh_userauth_kbdint_setanswer(m_session, static_cast<unsigned>(i), secret.c_str());
    }
    m_answer.reset();
    m_personAnswered = true;
}

SshAuth::Outcome SshAuth::tryPassword()
{
    if (!offers(SSH_AUTH_METHOD_PASSWORD))
        return Outcome::Next;
    if (m_attendance == ClusterLink::Attendance::Nobody)
        return needsPerson();
    if (!m_callPending && !m_answer)
        return ask(LoginPrompt::Kind::Password, {{u"Password of %1"_s.arg(m_endpoint.label()), false}});
    // While a call is pending libssh looks at the answer alone, so the password is needed only once.
    const Secret secret = m_answer ? m_answer->answers.value(0) : Secret();
    m_answer.reset();
    const Outcome outcome = outcomeOf(ssh_userauth_password(m_session, nullptr, secret.c_str()), Outcome::Next);
    return outcome == Outcome::Next ? refusedSecret() : outcome;
}

SshAuth::Outcome SshAuth::refusedSecret()
{
    m_personAnswered = false;
    if (m_stage == Stage::Interactive || m_tried.isEmpty() || m_tried.last() != u"password")
        m_tried << (m_stage == Stage::Interactive ? u"keyboard-interactive"_s : u"password"_s);
    if (++m_tries >= mostTries)
        return giveUp();
    m_notice = u"The server did not accept that (try %1 of %2)."_s.arg(m_tries).arg(mostTries);
    return Outcome::Again;
}

SshAuth::Outcome SshAuth::ask(LoginPrompt::Kind kind, const QList<LoginPrompt::Question>& questions)
{
    m_prompt = {};
    m_prompt.kind = kind;
    m_prompt.host = m_endpoint.label();
    m_prompt.questions = questions;
    m_prompt.banner = banner();
    m_prompt.notice = std::exchange(m_notice, {});
    m_asking = true;
    m_tookPerson = true;
    return Outcome::Ask;
}

QString SshAuth::banner() const
{
    const SshTextHandle text(ssh_get_issue_banner(m_session));
    return printableText(text.get());
}

SshAuth::Outcome SshAuth::failWith(Fault fault, const QString& what, const QString& detail, const QString& remedy)
{
    m_answer.reset();
    m_error = {fault, what, detail, remedy};
    return Outcome::Failed;
}

SshAuth::Outcome SshAuth::needsPerson()
{
    return failWith(Fault::LoginRefused, u"Logging in to %1 again needs you."_s.arg(m_endpoint.host),
        u"The server takes: %1."_s.arg(methodNames(m_methods)), u"Connect again."_s);
}

QString SshAuth::endingSoon() const
{
    constexpr qint64 soonSeconds = 7 * 24 * 3600;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const SshIdentity& identity : m_identities) {
        const bool isUsed = identity.certified && identity.certified->stateAt(now) == SshCertificate::State::Valid;
        if (isUsed && identity.certified->validUntil && now.secsTo(*identity.certified->validUntil) < soonSeconds)
            return u"Your certificate %1 %2 (%3)."_s.arg(QFileInfo(identity.certificateFile).fileName(),
                validityText(*identity.certified, now),
                identity.certified->validUntil->toString(u"yyyy-MM-dd HH:mm 'UTC'"_s));
    }
    return {};
}

QString SshAuth::uselessCertificate() const
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const SshIdentity& identity : m_identities) {
        if (!identity.certified)
            continue;
        if (identity.certified->stateAt(now) == SshCertificate::State::Expired)
            return u"%1 was valid until %2: %3."_s.arg(identity.certificateFile,
                identity.certified->validUntil->toString(u"yyyy-MM-dd HH:mm 'UTC'"_s),
                validityText(*identity.certified, now));
        if (identity.certified->stateAt(now) == SshCertificate::State::NotYet)
            return u"%1 is %2: is this machine's clock right?"_s.arg(
                identity.certificateFile, validityText(*identity.certified, now));
    }
    return {};
}

/// Of certificates that are in order and were refused all the same: for whom they are and until when.
QString SshAuth::certificateFacts() const
{
    QStringList facts;
    for (const SshIdentity& identity : m_identities) {
        if (identity.certified)
            facts << u"The certificate %1 is for %2 and %3."_s.arg(QFileInfo(identity.certificateFile).fileName(),
                identity.certified->principals.isEmpty()
                    ? u"anybody"_s
                    : printableLine(identity.certified->principals.mid(0, 8).join(u", "_s).toUtf8().constData()),
                validityText(*identity.certified, QDateTime::currentDateTimeUtc()));
    }
    return facts.join(u'\n');
}

SshAuth::Outcome SshAuth::giveUp()
{
    QStringList tried = m_tried;
    tried.removeDuplicates();
    QStringList detail = {u"Tried: %1. The server takes: %2."_s.arg(
        tried.isEmpty() ? u"nothing"_s : tried.join(u", "_s), methodNames(m_methods ? m_methods : m_offered))};
    if (m_filter && m_filter->listed() == 0)
        detail << u"Your key agent shows no key: it is empty (ssh-add adds keys) or locked (ssh-add -X unlocks it)."_s;
    if (m_filter && m_filter->hasRefused())
        detail << u"Your key agent did not sign: it was locked or declined, or the security key was not touched in "
                  u"time."_s;
    if (!banner().isEmpty())
        detail << banner();
    if (m_tries > 0) {
        const QString answer = m_stage == Stage::Interactive ? u"answers"_s : u"password"_s;
        return failWith(Fault::LoginRefused,
            u"%1 did not accept the %2 of %3."_s.arg(m_endpoint.host, answer, m_endpoint.user), detail.join(u'\n'),
            u"Check the user name and what was typed; after several refused tries many servers block for some "
            u"minutes."_s);
    }
    if (const QString useless = uselessCertificate(); !useless.isEmpty()) {
        const bool isOver = useless.contains(u"was valid"_s);
        return failWith(Fault::LoginRefused,
            (isOver ? u"The certificate for %1 has expired."_s : u"The certificate for %1 is not valid yet."_s)
                .arg(m_endpoint.host),
            QStringList(QStringList{useless} + detail).join(u'\n'),
            u"Get a new certificate from the site, put it beside the key, then connect again."_s);
    }
    if (const QString facts = certificateFacts(); !facts.isEmpty())
        detail << facts;
    const QStringList onToken = tokenKeyFiles();
    if (!onToken.isEmpty() && m_endpoint.identities.isEmpty())
        detail << u"%1 is on a security key: it logs in through the agent only (ssh-add %1)."_s.arg(onToken.first());
    const bool keysOnly = (m_methods ? m_methods : m_offered) == SSH_AUTH_METHOD_PUBLICKEY;
    return failWith(Fault::LoginRefused, u"%1 did not accept the login of %2."_s.arg(m_endpoint.host, m_endpoint.user),
        detail.join(u'\n'),
        keysOnly ? u"This host takes keys only: register your public key with its operators and choose the "
                   u"key file in the connection's settings."_s
                 : u"Check the user name and the password."_s);
}

} // namespace rankwright
