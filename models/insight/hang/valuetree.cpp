// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/valuetree.h"

#include <QJsonArray>

#include <cmath>

namespace rankwright::inline insight {

namespace {

// What has no content of its own is there once, in front of all others.
constexpr ValueTree::Place nonePlace = 0;
constexpr ValueTree::Place falsePlace = 1;
constexpr ValueTree::Place truePlace = 2;

ValueTree::Place addJson(ValueTree& tree, const QJsonValue& json, int depth)
{
    switch (json.type()) {
    case QJsonValue::Bool: return tree.addBoolean(json.toBool());
    case QJsonValue::Double: {
        const double real = json.toDouble();
        // toInteger() gives its default where the number is none of 64 bits
        const bool isWhole = json.toInteger(0) == json.toInteger(1);
        return isWhole ? tree.addWhole(json.toInteger()) : tree.addReal(real);
    }
    case QJsonValue::String: return tree.addText(json.toString());
    case QJsonValue::Array: {
        if (depth <= 0)
            return tree.addNone();
        const ValueTree::Place list = tree.addList();
        const QJsonArray elements = json.toArray();
        for (const QJsonValue& element : elements)
            tree.append(list, addJson(tree, element, depth - 1));
        return list;
    }
    case QJsonValue::Object: {
        if (depth <= 0)
            return tree.addNone();
        const ValueTree::Place dictionary = tree.addDictionary();
        const QJsonObject members = json.toObject();
        for (auto it = members.begin(); it != members.end(); ++it) {
            tree.append(dictionary, tree.addText(it.key()));
            tree.append(dictionary, addJson(tree, it.value(), depth - 1));
        }
        return dictionary;
    }
    case QJsonValue::Null:
    case QJsonValue::Undefined: break;
    }
    return tree.addNone();
}

} // namespace

ValueTree::Place ValueTree::add(Kind kind, qint64 whole)
{
    if (m_values.isEmpty()) {
        for (const auto& [first, number] : {std::pair{Kind::None, 0}, {Kind::Boolean, 0}, {Kind::Boolean, 1}}) {
            Value value{};
            value.whole = number;
            value.kind = first;
            m_values.append(value);
        }
    }
    if (kind == Kind::None)
        return nonePlace;
    if (kind == Kind::Boolean)
        return whole != 0 ? truePlace : falsePlace;
    Value value{};
    value.whole = whole;
    value.kind = kind;
    m_values.append(value);
    return Place(m_values.size() - 1);
}

ValueTree::Place ValueTree::addNone() { return add(Kind::None, 0); }
ValueTree::Place ValueTree::addBoolean(bool value) { return add(Kind::Boolean, value ? 1 : 0); }
ValueTree::Place ValueTree::addWhole(qint64 value) { return add(Kind::Whole, value); }

ValueTree::Place ValueTree::addReal(double value)
{
    const Place place = add(Kind::Real, 0);
    m_values[place].real = value;
    return place;
}

ValueTree::Place ValueTree::addText(const QString& text)
{
    m_texts.append(text);
    return add(Kind::Text, m_texts.size() - 1);
}

ValueTree::Place ValueTree::addList()
{
    m_children.append(QList<Place>());
    return add(Kind::List, m_children.size() - 1);
}

ValueTree::Place ValueTree::addDictionary()
{
    m_children.append(QList<Place>());
    return add(Kind::Dictionary, m_children.size() - 1);
}

void ValueTree::append(Place parent, Place child)
{
    const Kind parentKind = kind(parent);
    if (parentKind == Kind::List || parentKind == Kind::Dictionary)
        m_children[m_values.at(parent).whole].append(child);
}

ValueTree::Kind ValueTree::kind(Place place) const
{
    return place >= 0 && place < m_values.size() ? m_values.at(place).kind : Kind::None;
}

std::optional<qint64> ValueTree::whole(Place place) const
{
    if (kind(place) == Kind::Whole)
        return m_values.at(place).whole;
    return {};
}

std::optional<double> ValueTree::real(Place place) const
{
    if (kind(place) == Kind::Whole)
        return double(m_values.at(place).whole);
    if (kind(place) == Kind::Real && std::isfinite(m_values.at(place).real))
        return m_values.at(place).real;
    return {};
}

std::optional<bool> ValueTree::boolean(Place place) const
{
    if (kind(place) == Kind::Boolean)
        return m_values.at(place).whole != 0;
    return {};
}

QString ValueTree::text(Place place) const
{
    return kind(place) == Kind::Text ? m_texts.at(m_values.at(place).whole) : QString();
}

QString ValueTree::textOrNumber(Place place) const
{
    const auto number = whole(place);
    return number ? QString::number(*number) : text(place);
}

QList<ValueTree::Place> ValueTree::children(Place place) const
{
    const Kind itsKind = kind(place);
    if (itsKind == Kind::List || itsKind == Kind::Dictionary)
        return m_children.at(m_values.at(place).whole);
    return {};
}

ValueTree treeOfJson(const QJsonObject& json, int depth)
{
    ValueTree tree;
    tree.setRoot(addJson(tree, json, depth));
    return tree;
}

} // namespace rankwright::inline insight
