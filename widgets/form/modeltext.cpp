// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/modeltext.h"

#include "models/planner/estimate/network/modellist.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <array>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// The members of a design file's figures, in the order in which one thinks of them.
const QStringList& figureNames()
{
    static const QStringList names{u"layers"_s, u"hidden"_s, u"heads"_s, u"kvHeads"_s, u"ffn"_s, u"vocab"_s,
        u"tiedEmbeddings"_s, u"gatedMlp"_s, u"experts"_s, u"expertsPerToken"_s};
    return names;
}

std::optional<double> parametersIn(const QString& text)
{
    static const QRegularExpression form(
        uR"(^([0-9]+(?:[.,][0-9]+)?(?:[eE][0-9]+)?)\s*(k|m|mn|million|b|bn|billion|g|t|tn|trillion)?(?:\s*parameters)?$)"_s,
        QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return {};
    const double number = match.captured(1).replace(u',', u'.').toDouble();
    const QChar unit = match.captured(2).isEmpty() ? QChar(u' ') : match.captured(2).at(0).toLower();
    switch (unit.unicode()) {
    case u'k': return number * 1e3;
    case u'm': return number * 1e6;
    case u'b':
    case u'g': return number * 1e9;
    case u't': return number * 1e12;
    default: return number;
    }
}

bool isPath(const QString& text) { return text.endsWith(u".json"_s, Qt::CaseInsensitive) || text.startsWith(u'/'); }

Result<QJsonObject> readFigures(const QString& text)
{
    QJsonObject model;
    const QStringList pairs = text.split(QRegularExpression(u"[\\s,;]+"_s), Qt::SkipEmptyParts);
    for (const QString& pair : pairs) {
        const QString name = pair.section(u'=', 0, 0);
        const QString value = pair.section(u'=', 1);
        const auto known = std::find_if(figureNames().begin(), figureNames().end(),
            [&name](const QString& each) { return each.compare(name, Qt::CaseInsensitive) == 0; });
        if (known == figureNames().end())
            return fail(Fault::Invalid,
                tr("“%1” is not a figure of a model; known are %2.").arg(name, figureNames().join(u", "_s)));
        if (value == u"yes" || value == u"true" || value == u"no" || value == u"false") {
            model.insert(*known, value == u"yes" || value == u"true");
            continue;
        }
        bool read = false;
        const qint64 number = value.toLongLong(&read);
        if (!read || number < 0)
            return fail(Fault::Invalid, tr("“%1” needs a whole number, as in %1=32.").arg(*known));
        model.insert(*known, number);
    }
    return model;
}

} // namespace

QString writeParameters(double count)
{
    const std::array<std::pair<double, const char*>, 4> units{{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}}};
    for (const auto& [unit, letter] : units) {
        // Two decimals are enough for a size; a figure that needs more is written in full.
        const double scaled = count / unit;
        if (scaled >= 1 && std::abs(scaled * 100 - std::round(scaled * 100)) < 1e-6)
            return QString::number(scaled, 'g', 12) + QLatin1String(letter);
    }
    return QString::number(count, 'g', 17);
}

QString writeModel(const QJsonObject& model)
{
    if (model.isEmpty())
        return {};
    if (model.contains(u"preset"_s)) {
        const QString name = model.value(u"preset"_s).toString();
        const ListedModel* listed = findListedModel(name);
        return listed ? listed->title : name;
    }
    if (model.contains(u"hfConfig"_s))
        return model.value(u"hfConfig"_s).toString();
    if (model.contains(u"parameters"_s) && model.size() == 1)
        return writeParameters(model.value(u"parameters"_s).toDouble());
    QStringList pairs;
    for (const QString& name : figureNames()) {
        if (!model.contains(name) || model.value(name).isNull())
            continue;
        const QJsonValue value = model.value(name);
        pairs.append(value.isBool() ? u"%1=%2"_s.arg(name, value.toBool() ? u"yes"_s : u"no"_s)
                                    : u"%1=%2"_s.arg(name).arg(qint64(value.toDouble())));
    }
    return pairs.join(u' ');
}

Result<QJsonObject> readModel(const QString& text)
{
    const QString plain = text.simplified();
    if (plain.isEmpty())
        return QJsonObject();
    // A name of the list comes before a size: its architecture is known, not assumed.
    if (const ListedModel* named = findListedModel(plain); named && !plain.contains(u'='))
        return QJsonObject{{u"preset"_s, named->name}};
    if (isPath(plain))
        return QJsonObject{{u"hfConfig"_s, plain}};
    if (const auto count = parametersIn(plain)) {
        if (*count < 1e5 || *count > 1e14)
            return fail(Fault::Invalid, tr("A model has between 100 000 and 10¹⁴ parameters, as in 7B."));
        return QJsonObject{{u"parameters"_s, *count}};
    }
    if (plain.contains(u'='))
        return readFigures(plain);
    return QJsonObject{{u"preset"_s, plain}};
}

QStringList nearestTitles(const QJsonObject& model)
{
    const QString name = model.value(u"preset"_s).toString();
    QStringList titles;
    if (name.isEmpty() || findListedModel(name))
        return titles;
    for (const QString& near : nearestModels(name)) {
        if (const ListedModel* listed = findListedModel(near))
            titles.append(listed->title);
    }
    return titles;
}

} // namespace rankwright
