// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fieldparsing.h"

#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString withoutGrouping(const QString& text)
{
    QString digits;
    for (const QChar c : text) {
        if (!c.isSpace() && c != u'_' && c != u'\u202f' && c != u'\u2009')
            digits.append(c);
    }
    return digits;
}

/// The sentence of a parser of ours, as one reads it under a field.
Unexpected<Error> refuse(const QString& sentence) { return fail(Fault::Invalid, sentence); }

QString sentenceOf(const Error& error)
{
    QString sentence = error.what;
    if (!error.remedy.isEmpty())
        sentence += (sentence.endsWith(u'.') ? u" "_s : u". "_s) + error.remedy;
    return sentence;
}

/// "90 min", "2h", "1 d 12 h": as the form itself writes times beside the field. Empty: written in another way.
std::optional<Seconds> readUnits(const QString& text)
{
    static const QRegularExpression form(
        u"^(?:([0-9]{1,4})\\s*d(?:ays?)?)?\\s*(?:([0-9]{1,5})\\s*h(?:ours?)?)?\\s*(?:([0-9]{1,6})\\s*m(?:in(?:utes?)?)?)?$"_s,
        QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption);
    const auto match = form.match(text.trimmed());
    if (!match.hasMatch() || match.lastCapturedIndex() < 1)
        return std::nullopt;
    const auto part = [&match](int at) { return match.captured(at).toLongLong(); };
    return Seconds{((part(1) * 24 + part(2)) * 60 + part(3)) * 60};
}

} // namespace

Result<std::optional<qint64>> readWhole(const QString& text, qint64 low, qint64 high)
{
    const QString digits = withoutGrouping(text);
    if (digits.isEmpty())
        return std::optional<qint64>();
    bool ok = false;
    const qint64 value = digits.toLongLong(&ok);
    if (!ok)
        return refuse(tr("“%1” is not a whole number.").arg(text.trimmed()));
    if (value < low || value > high)
        return refuse(tr("Must be from %1 to %2.").arg(humanNumber(double(low)), humanNumber(double(high))));
    return std::optional<qint64>(value);
}

Result<std::optional<double>> readPositive(const QString& text)
{
    const QString digits = withoutGrouping(text).replace(u',', u'.');
    if (digits.isEmpty())
        return std::optional<double>();
    bool ok = false;
    const double value = digits.toDouble(&ok);
    if (!ok || !(value > 0) || value > 1e9)
        return refuse(tr("“%1” is not a number above 0.").arg(text.trimmed()));
    return std::optional<double>(value);
}

Result<std::optional<Seconds>> readTime(const QString& text)
{
    if (text.trimmed().isEmpty())
        return std::optional<Seconds>();
    const std::optional<Seconds> withUnits = readUnits(text);
    const Result<Seconds> time = withUnits ? Result<Seconds>(*withUnits) : parseSlurmTime(text.trimmed());
    if (!time)
        return refuse(sentenceOf(time.error()));
    if (time->count <= 0)
        return refuse(tr("A job needs a time above 0."));
    return std::optional<Seconds>(*time);
}

Result<std::optional<Bytes>> readMemory(const QString& text)
{
    QString size = withoutGrouping(text);
    if (size.isEmpty())
        return std::optional<Bytes>();
    static const QRegularExpression unit(u"([KMGTkmgt])(i?[Bb])$"_s);
    size.replace(unit, u"\\1"_s);
    const Result<Bytes> bytes = parseSlurmMemory(size);
    if (!bytes)
        return refuse(sentenceOf(bytes.error()));
    if (bytes->count <= 0)
        return refuse(tr("Must be more than 0; leave it empty for the fair share."));
    return std::optional<Bytes>(*bytes);
}

std::optional<QString> readText(const QString& text)
{
    const QString trimmed = text.trimmed();
    return trimmed.isEmpty() ? std::nullopt : std::optional<QString>(trimmed);
}

QStringList readLines(const QString& text)
{
    QStringList lines;
    for (const QString& line : text.split(u'\n')) {
        if (!line.trimmed().isEmpty())
            lines.append(line.trimmed());
    }
    return lines;
}

Result<QMap<QString, QString>> readVariables(const QString& text)
{
    static const QRegularExpression form(u"^([A-Za-z_][A-Za-z0-9_]*)=(.*)$"_s);
    QMap<QString, QString> variables;
    for (const QString& line : readLines(text)) {
        const auto match = form.match(line);
        if (!match.hasMatch())
            return refuse(tr("“%1”: write NAME=value, one per line.").arg(line));
        variables.insert(match.captured(1), match.captured(2));
    }
    return variables;
}

QString writeWhole(const std::optional<qint64>& value) { return value ? QString::number(*value) : QString(); }

QString writeVariables(const QMap<QString, QString>& variables)
{
    QStringList lines;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        lines.append(it.key() + u'=' + it.value());
    return lines.join(u'\n');
}

} // namespace rankwright
