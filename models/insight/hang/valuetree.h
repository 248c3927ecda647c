// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QList>
#include <QString>
#include <QStringView>

#include <optional>

namespace rankwright::inline insight {

/// Plain values of a document that somebody else wrote (a pickle, JSON): numbers, texts, lists, dictionaries. They lie
/// in one row and name each other by their place in it, so that a value can be in several lists, or in itself, at no
/// cost; the caller decides how deep. Asked for a kind that it is not, a value gives nothing.
class ValueTree {
public:
    enum class Kind : quint8 { None, Boolean, Whole, Real, Text, List, Dictionary };
    using Place = qint32; ///< of a value; below 0: none

    static constexpr Place nothing{-1};

    Place addNone();
    Place addBoolean(bool value);
    Place addWhole(qint64 value);
    Place addReal(double value);
    Place addText(const QString& text);
    Place addList();
    Place addDictionary(); ///< its children are key, value, key, value ...
    void append(Place parent, Place child);
    void setRoot(Place root) { m_root = root; }

    Place root() const { return m_root; }
    qsizetype size() const { return m_values.size(); }
    Kind kind(Place place) const;
    std::optional<qint64> whole(Place place) const;
    std::optional<double> real(Place place) const; ///< of a whole number too
    std::optional<bool> boolean(Place place) const;
    QString text(Place place) const; ///< empty when it is none
    QString textOrNumber(Place place) const; ///< the text, or the digits of a whole number
    /// Of a list, or keys and values in turn; empty for all others.
    QList<Place> children(Place place) const;

private:
    struct Value {
        union {
            qint64 whole;
            double real;
        };
        Kind kind;
    };
    Place add(Kind kind, qint64 whole);

    QList<Value> m_values;
    QList<QString> m_texts;
    QList<QList<Place>> m_children;
    Place m_root = nothing;
};

/// The same of JSON; objects deeper than `depth` become None.
ValueTree treeOfJson(const QJsonObject& json, int depth = 32);

} // namespace rankwright::inline insight
