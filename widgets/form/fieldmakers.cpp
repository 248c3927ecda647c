// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/fieldmakers.h"

#include "models/planner/design/enumwords.h"
#include "widgets/form/fieldparsing.h"
#include "widgets/form/modeltext.h"

#include <limits>

namespace rankwright::fieldmaker {

using namespace Qt::StringLiterals;

namespace {

// How a member of each type is shown in a field, and read from it. Empty text is "open".

/// What whole numbers are kept within when the row says nothing.
struct Limits {
    qint64 low = std::numeric_limits<int>::min();
    qint64 high = std::numeric_limits<int>::max();
};

QString textOf(const QString& value) { return value; }
QString textOf(const QStringList& value) { return value.join(u'\n'); }
QString textOf(const QMap<QString, QString>& value) { return writeVariables(value); }
QString textOf(const QJsonObject& model) { return writeModel(model); }
QString textOf(const QList<OverrideBlock>&) { return {}; }
QString textOf(bool value) { return value ? u"yes"_s : u"no"_s; }
QString textOf(int value) { return QString::number(value); }
QString textOf(qint64 value) { return QString::number(value); }
QString textOf(double value) { return QString::number(value, 'g', 12); }
QString textOf(Seconds value) { return slurmTime(value); }
QString textOf(Bytes value) { return slurmMemory(value); }

template <typename Enum>
requires std::is_enum_v<Enum> QString textOf(Enum value) { return wordOf(value); }

template <typename Value>
QString textOf(const std::optional<Value>& value)
{
    return value ? textOf(*value) : QString();
}

/// Takes over what was read, or reports why it could not be.
template <typename Read, typename Value>
Result<void> assign(const Result<Read>& read, Value& out)
{
    if (!read)
        return fail(read.error());
    out = *read;
    return {};
}

Result<void> readInto(QString& out, const QString& text, Limits)
{
    out = text.trimmed();
    return {};
}

Result<void> readInto(std::optional<QString>& out, const QString& text, Limits)
{
    out = readText(text);
    return {};
}

Result<void> readInto(QStringList& out, const QString& text, Limits)
{
    out = readLines(text);
    return {};
}

Result<void> readInto(std::optional<bool>& out, const QString& text, Limits)
{
    out = text.isEmpty() ? std::nullopt : std::optional(text == u"yes");
    return {};
}

Result<void> readInto(std::optional<qint64>& out, const QString& text, Limits limits)
{
    return assign(readWhole(text, limits.low, limits.high), out);
}

Result<void> readInto(std::optional<int>& out, const QString& text, Limits limits)
{
    std::optional<qint64> number;
    const Result<void> outcome = readInto(number, text, limits);
    if (outcome)
        out = number ? std::optional(static_cast<int>(*number)) : std::nullopt;
    return outcome;
}

Result<void> readInto(std::optional<double>& out, const QString& text, Limits)
{
    return assign(readPositive(text), out);
}
Result<void> readInto(std::optional<Seconds>& out, const QString& text, Limits) { return assign(readTime(text), out); }
Result<void> readInto(std::optional<Bytes>& out, const QString& text, Limits) { return assign(readMemory(text), out); }
Result<void> readInto(QMap<QString, QString>& out, const QString& text, Limits)
{
    return assign(readVariables(text), out);
}
Result<void> readInto(QJsonObject& out, const QString& text, Limits) { return assign(readModel(text), out); }
Result<void> readInto(QList<OverrideBlock>&, const QString&, Limits) { return {}; } // edited in the script alone

template <typename Enum>
Result<void> readInto(std::optional<Enum>& out, const QString& text, Limits)
{
    out = enumeratorOf<Enum>(text);
    return {};
}

DesignField made(QLatin1StringView path, Kind kind, const QString& label, const QString& help, const Limits& limits)
{
    const SpecField* row = specField(path);
    Q_ASSERT(row != nullptr);
    DesignField field{path, row->group, kind, label, help};
    field.text = [row](const JobSpec& spec) {
        return std::visit([&spec](const auto& member) { return textOf(member.of(spec)); }, row->member);
    };
    field.apply = [row, limits](const QString& text, JobSpec& spec) {
        return std::visit([&](const auto& member) { return readInto(member.in(spec), text, limits); }, row->member);
    };
    return field;
}

} // namespace

DesignField fieldOf(QLatin1StringView path, const QString& label, const QString& help, const Hint& hint, Kind kind)
{
    DesignField field = made(path, kind, label, help, {});
    field.hint = hint;
    return field;
}

DesignField wholeField(
    QLatin1StringView path, const QString& label, const QString& help, qint64 low, qint64 high, const Hint& hint)
{
    DesignField field = made(path, Kind::Line, label, help, {low, high});
    field.hint = hint;
    return field;
}

QString notPassed() { return tr("not passed"); }

} // namespace rankwright::fieldmaker
