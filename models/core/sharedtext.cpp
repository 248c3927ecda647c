// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/sharedtext.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace rankwright::inline core {

using namespace Qt::StringLiterals;

namespace {

const QString leftOutMark = u"(left out)"_s;
constexpr int shortestToken = 6;

/// "HF_TOKEN", "hfToken" and "--hf-token" are the same words.
QStringList wordsOf(const QString& name)
{
    QStringList words(1);
    QChar before;
    for (const QChar symbol : name) {
        const bool begins = symbol.isUpper() && before.isLower();
        if (!symbol.isLetterOrNumber() || begins)
            words.append(QString());
        if (symbol.isLetterOrNumber())
            words.last() += symbol.toLower();
        before = symbol;
    }
    words.removeAll(QString());
    return words;
}

bool isReference(const QString& value)
{
    return value.startsWith(u'$') || value.startsWith(u'`') || value.startsWith(u'<') || value.startsWith(u"%(")
        || value.startsWith(u'{');
}

/// Words that stand where a secret could and are none.
bool isPlainWord(const QString& value)
{
    static const QSet<QString> plain{u"true"_s, u"false"_s, u"yes"_s, u"no"_s, u"none"_s, u"null"_s, u"str"_s,
        u"string"_s, u"int"_s, u"bool"_s, u"bytes"_s, u"optional"_s, u"default"_s, u"0"_s, u"1"_s, leftOutMark};
    return value.isEmpty() || plain.contains(value.toLower());
}

bool isNumber(const QString& value)
{
    return std::all_of(
        value.cbegin(), value.cend(), [](QChar symbol) { return symbol.isDigit() || u".,_"_s.contains(symbol); });
}

bool isSecretValue(const QString& name, const QString& value)
{
    if (isReference(value) || isPlainWord(value))
        return false;
    // "token" is also what a language model counts
    const bool isToken = name.endsWith(u"token"_s, Qt::CaseInsensitive);
    return !isToken || (value.size() >= shortestToken && !isNumber(value));
}

/// Further pieces of a value whose first is none by itself: "$HOST"'secret', but not "$HOST""$PORT".
bool hidesSecret(const QString& name, const QString& pieces)
{
    QString bare = pieces;
    bare.remove(u'\'').remove(u'"');
    return bare.size() >= shortestToken && isSecretValue(name, bare);
}

/// Tokens that say what they are. The first group, where there is one, is what is left out.
const QList<QRegularExpression>& forms()
{
    static const QList<QRegularExpression> all = [] {
        QList<QRegularExpression> made;
        // Some are like nothing else, wherever they stand: behind a colour's escape sequence, too.
        const QStringList everywhere{u"hf_[A-Za-z0-9]{16,}"_s, u"gh[pousr]_[A-Za-z0-9]{20,}"_s,
            u"github_pat_[A-Za-z0-9_]{20,}"_s, u"gl(?:pat|dt|rt|cbt|ptt)-[A-Za-z0-9_-]{16,}"_s,
            u"xox[abeprs]-[A-Za-z0-9-]{10,}"_s, u"(?:AKIA|ASIA)[0-9A-Z]{16}"_s, u"AIza[0-9A-Za-z_-]{30,}"_s,
            u"ya29\\.[0-9A-Za-z_-]{20,}"_s, u"eyJ[A-Za-z0-9_-]{8,600}+\\.eyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?"_s,
            u"wandb_v1_[A-Za-z0-9_-]{16,}"_s, u"nvapi-[A-Za-z0-9_-]{20,}"_s, u"dckr_pat_[A-Za-z0-9_-]{16,}"_s};
        made.append(QRegularExpression(everywhere.join(u'|')));
        const QStringList asWords{u"api_org_[A-Za-z0-9]{16,}"_s, u"sk-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,}"_s,
            u"npm_[A-Za-z0-9]{30,}"_s, u"pypi-[A-Za-z0-9_-]{16,}"_s, u"gsk_[A-Za-z0-9]{20,}"_s,
            u"r8_[A-Za-z0-9]{20,}"_s, u"tskey-[A-Za-z0-9-]{16,}"_s, u"dapi[0-9a-f]{32}"_s,
            u"sq0[a-z]{3}-[A-Za-z0-9_-]{20,}"_s};
        made.append(QRegularExpression(
            u"(?:(?<![A-Za-z0-9_-])|(?<=[0-9\\[]m)|(?<=\\\\[nrt]))(?:"_s + asWords.join(u'|') + u')'));
        made.append(
            QRegularExpression(u"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----"
                               "(?:[\\s\\S]{0,16384}?-----END[A-Z ]{0,40}-----|[A-Za-z0-9+/=\\s]{0,16384}+)"_s));
        made.append(QRegularExpression(u"://([^/@\\s:\"']{0,200}:[^/@\\s\"'$]{1,400})@"_s));
        made.append(QRegularExpression(u"\\b(?:Bearer|Basic)[ \\t]{1,4}([A-Za-z0-9._~+/=-]{12,})"_s));
        made.append(QRegularExpression(
            u"\\bwandb[ \\t]{1,4}login(?:[ \\t]{1,4}--?[a-z-]{1,30}){0,4}[ \\t]{1,4}([0-9A-Za-z_]{20,})"_s));
        made.append(QRegularExpression(u"\\bsshpass[ \\t]{1,4}-p[ \\t]{0,4}(?!\\(left)([^\\s$]{1,400})"_s));
        made.append(QRegularExpression(
            u"\\b(?:curl|wget)\\b[^\\n]{0,200}?[ \\t](?:-u|--user)[ =]{0,4}([^\\s:$]{1,100}:[^\\s$]{1,400})"_s));
        return made;
    }();
    return all;
}

/// A value as a shell, JSON or a settings file has it: the first group is it with its quotes, the second without.
/// Quotes that stand in another word's quotes first: '\'', '"'"' and \"; what is cut has none at its end.
QString valuePattern()
{
    const QStringList ways{
        uR"x('\\''([^'\n]{0,4096}+)(?:'\\'')?)x"_s,
        uR"x('"'"'([^'\n]{0,4096}+)(?:'"'"')?)x"_s,
        uR"x(\\{1,7}"([^"\\\n]{0,4096}+(?:\\{1,15}+[^"\\\n]{1,200}+){0,16})(?:\\{1,7}")?)x"_s,
        uR"x(\\{1,7}'([^'\\\n]{0,4096}+(?:\\{1,15}+[^'\\\n]{1,200}+){0,16})(?:\\{1,7}')?)x"_s,
        uR"x(\$'([^'\\\n]{0,4096}+(?:\\.[^'\\\n]{0,200}+){0,16})')x"_s,
        uR"x("([^"\\\n]{0,4096}+(?:\\.[^"\\\n]{0,200}+){0,64})")x"_s,
        uR"x('([^'\n]{0,4096}+(?:'\\''[^'\n]{0,200}+){0,16})')x"_s,
        uR"x(([^\s"'`,;&|<>(){}\[\]\\]{0,4096}+(?:\\[ $&;|!*?~#][^\s"'`,;&|<>(){}\[\]\\]{0,200}+){0,16}))x"_s,
    };
    return u"((?|"_s + ways.join(u'|') + u"))"_s;
}

/// Which quotes a place is in, by the shell's rules, for places of a text one after another: "'", "\"" or a null
/// character. Each line begins again: an apostrophe of prose must not decide about the rest of a log.
class QuotesBefore {
public:
    explicit QuotesBefore(const QString& text) : m_text(text) { }

    QChar at(qsizetype place)
    {
        for (; m_done < place; ++m_done) {
            const QChar symbol = m_text.at(m_done);
            if (symbol == u'\n')
                m_open = QChar();
            else if (symbol == u'\\' && m_open != u'\'')
                ++m_done;
            else if (symbol == m_open)
                m_open = QChar();
            else if (m_open.isNull() && (symbol == u'\'' || symbol == u'"'))
                m_open = symbol;
        }
        return m_open;
    }

private:
    const QString& m_text;
    qsizetype m_done = 0;
    QChar m_open;
};

constexpr qsizetype longestPiece = 4096;

/// Where these quotes end in the line of `from`; -1: they do not.
qsizetype endOfQuotes(const QString& text, qsizetype from, QChar quotes)
{
    const qsizetype last = qMin(text.size(), from + longestPiece);
    for (qsizetype at = from; at < last && text.at(at) != u'\n'; ++at) {
        if (text.at(at) == quotes)
            return at;
        if (text.at(at) == u'\\' && quotes == u'"')
            ++at;
    }
    return -1;
}

/// Behind all pieces of one word of the shell (ab'c d'ef), of which one ends at `from`. `open`: quotes that the whole
/// word is in; they end it.
qsizetype endOfWord(const QString& text, qsizetype from, QChar open)
{
    const qsizetype last = qMin(text.size(), from + longestPiece);
    qsizetype at = from;
    while (at < last) {
        const QChar symbol = text.at(at);
        if (symbol == open || symbol.isSpace() || u"`,;&|<>(){}[]\\"_s.contains(symbol))
            return at;
        if (symbol == u'\'' || symbol == u'"') {
            const qsizetype end = endOfQuotes(text, at + 1, symbol);
            if (end < 0) // cut there, or no quotes of a word
                return text.size() <= last && !QStringView(text).sliced(at).contains(u'\n') ? text.size() : at;
            at = end;
        }
        ++at;
    }
    return at;
}

/// "NAME=value with spaces" as one word: where its quotes end; -1: it is none, or the text of a command (sh -c "...").
qsizetype endOfAssignment(const QString& text, qsizetype name, qsizetype nameEnd)
{
    static const QRegularExpression command(u"(?:^|\\s)(?:-[a-z]{0,4}c|eval|exec)\\s{1,4}$"_s);
    const QChar quotes = name > 0 ? text.at(name - 1) : QChar();
    const bool opens = (quotes == u'"' || quotes == u'\'') && (name < 2 || text.at(name - 2).isSpace());
    if (!opens || nameEnd >= text.size() || text.at(nameEnd) != u'=')
        return -1;
    constexpr qsizetype lookBack = 24;
    const qsizetype from = qMax<qsizetype>(0, name - 1 - lookBack);
    return command.match(text.sliced(from, name - 1 - from)).hasMatch() ? -1 : endOfQuotes(text, nameEnd, quotes);
}

/// Another text for the first group of each place where it matches.
template <typename Put>
QString replaced(const QString& text, const QRegularExpression& pattern, Put put)
{
    QString made;
    qsizetype done = 0;
    for (auto matches = pattern.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        const int group = match.lastCapturedIndex() > 0 ? 1 : 0;
        made += QStringView(text).sliced(done, match.capturedStart(group) - done);
        made += put(match.captured(group));
        done = match.capturedEnd(group);
    }
    made += QStringView(text).sliced(done);
    return made;
}

} // namespace

bool isSecretName(const QString& name)
{
    static const QSet<QString> anywhere{u"secret"_s, u"password"_s, u"passwd"_s, u"passphrase"_s};
    static const QSet<QString> last{u"secret"_s, u"secrets"_s, u"password"_s, u"passwords"_s, u"passwd"_s,
        u"passphrase"_s, u"credential"_s, u"credentials"_s, u"cookie"_s, u"cookies"_s, u"apikey"_s, u"accesskey"_s,
        u"secretkey"_s, u"privatekey"_s, u"authtoken"_s, u"accesstoken"_s};
    static const QSet<QString> places{u"file"_s, u"path"_s, u"dir"_s, u"folder"_s, u"name"_s, u"store"_s, u"count"_s};
    static const QSet<QString> ofModels{u"pad"_s, u"eos"_s, u"bos"_s, u"unk"_s, u"sep"_s, u"cls"_s, u"mask"_s,
        u"image"_s, u"video"_s, u"audio"_s, u"stop"_s, u"begin"_s, u"end"_s, u"start"_s, u"special"_s, u"per"_s,
        u"max"_s, u"min"_s, u"num"_s, u"next"_s, u"first"_s, u"last"_s, u"new"_s, u"prompt"_s, u"decoder"_s,
        u"forced"_s, u"each"_s};
    static const QSet<QString> ofKeys{u"api"_s, u"access"_s, u"secret"_s, u"private"_s, u"auth"_s, u"encryption"_s,
        u"signing"_s, u"ssh"_s, u"license"_s, u"account"_s, u"app"_s, u"service"_s, u"subscription"_s, u"storage"_s};
    const QStringList words = wordsOf(name);
    if (words.isEmpty() || places.contains(words.last()))
        return false;
    const auto holds = [&words](const QSet<QString>& set) {
        return std::any_of(words.cbegin(), words.cend(), [&set](const QString& word) { return set.contains(word); });
    };
    if (last.contains(words.last()) || holds(anywhere))
        return true;
    if (words.last() == u"token")
        return !holds(ofModels);
    if (words.size() < 2)
        return false;
    if (words.last() == u"key")
        return ofKeys.contains(words.at(words.size() - 2)) || name == name.toUpper();
    return (words.last() == u"pass" || words.last() == u"pwd") && name == name.toUpper();
}

SharedText::SharedText(const QString& user) : m_user(user == u"root" || user == u"user" ? QString() : user) { }

QString SharedText::withoutNamedValues(const QString& text)
{
    static const QRegularExpression name(u"[A-Za-z0-9_-]++"_s);
    static const QRegularExpression given(u"(?:\\\\{0,7}[\"'])?[ \\t]{0,4}[:=][ \\t]{0,4}(?![:=])"_s + valuePattern());
    static const QRegularExpression behind(u"[ \\t]{1,4}(?!-)"_s + valuePattern());
    QString made;
    qsizetype done = 0;
    QuotesBefore quotes(text);
    for (auto names = name.globalMatch(text); names.hasNext();) {
        const QRegularExpressionMatch found = names.next();
        if (found.capturedStart() < done || found.capturedLength() > 100 || !isSecretName(found.captured()))
            continue;
        // Without the second one each match would look through the whole text again.
        const auto anchored
            = QRegularExpression::AnchorAtOffsetMatchOption | QRegularExpression::DontCheckSubjectStringMatchOption;
        QRegularExpressionMatch value
            = given.match(text, found.capturedEnd(), QRegularExpression::NormalMatch, anchored);
        if (!value.hasMatch() && found.capturedView().startsWith(u'-'))
            value = behind.match(text, found.capturedEnd(), QRegularExpression::NormalMatch, anchored);
        if (!value.hasMatch())
            continue;
        const QString inner = value.captured(2);
        const bool isQuoted = value.capturedLength(1) != inner.size();
        // token = os.environ["HF_TOKEN"]: a program's text, not a value
        const QChar next = value.capturedEnd(1) < text.size() ? text.at(value.capturedEnd(1)) : QChar();
        const bool isCode = !isQuoted && (next == u'(' || next == u'[');
        if (isCode)
            continue;
        const QChar open = quotes.at(found.capturedStart());
        qsizetype from = value.capturedStart(2);
        qsizetype end = from + inner.size();
        const qsizetype assigned = isQuoted ? -1 : endOfAssignment(text, found.capturedStart(), found.capturedEnd());
        // Quotes in other quotes ('\'', \") have no pieces beside them.
        const QStringView first = value.capturedView(1);
        const bool isNested = isQuoted && (open == first.front() || first.startsWith(u'\\'));
        const qsizetype joined = isNested ? end : qMax(assigned, endOfWord(text, value.capturedEnd(1), open));
        const bool isJoined = joined > value.capturedEnd(1);
        const QString rest = isJoined ? text.sliced(value.capturedEnd(1), joined - value.capturedEnd(1)) : QString();
        if (!isSecretValue(found.captured(), inner) && !hidesSecret(found.captured(), rest))
            continue;
        if (isJoined) {
            from = value.capturedStart(1);
            end = joined;
        }
        made += QStringView(text).sliced(done, from - done);
        made += leftOutMark;
        done = end;
        ++m_leftOut;
    }
    made += QStringView(text).sliced(done);
    return made;
}

QString SharedText::withoutForms(const QString& text)
{
    QString made = text;
    for (const QRegularExpression& form : forms())
        made = replaced(made, form, [this](const QString& value) {
            if (value.contains(leftOutMark))
                return value;
            ++m_leftOut;
            return leftOutMark;
        });
    return made;
}

QString SharedText::text(const QString& text)
{
    // In half a pair of surrogates no pattern finds anything, and every secret would stay.
    QString made = withoutForms(withoutNamedValues(text.isValidUtf16() ? text : QString::fromUtf8(text.toUtf8())));
    if (m_user.size() > 1) {
        // as a part of a path, and as USER=NAME
        const QRegularExpression part(u"(?<=[/~=])%1(?![A-Za-z0-9_.-])"_s.arg(QRegularExpression::escape(m_user)));
        made.replace(part, u"user"_s);
    }
    return made;
}

QByteArray SharedText::bytes(const QByteArray& utf8) { return text(QString::fromUtf8(utf8)).toUtf8(); }

QJsonValue SharedText::json(const QJsonValue& value)
{
    if (value.isString())
        return text(value.toString());
    if (value.isArray()) {
        QJsonArray made;
        for (const QJsonValue& each : value.toArray())
            made.append(json(each));
        return made;
    }
    if (!value.isObject())
        return value;
    QJsonObject made;
    const QJsonObject object = value.toObject();
    for (auto member = object.begin(); member != object.end(); ++member) {
        const QJsonValue each = member.value();
        if (each.isString() && isSecretName(member.key()) && isSecretValue(member.key(), each.toString())) {
            made.insert(member.key(), leftOutMark);
            ++m_leftOut;
        } else {
            made.insert(member.key(), json(each));
        }
    }
    return made;
}

} // namespace rankwright::inline core
