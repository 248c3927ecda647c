// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>

#include <optional>

namespace rankwright::inline core {

/// One JSON object whose members keep the order in which they were put (QJsonObject sorts them) and leave out what is
/// empty. Small objects can be on one line, as rows of a table do.
class JsonWriter {
public:
    enum class Layout { Spread, OneLine }; ///< of an object: a line for each member, or one for all

    JsonWriter& text(const QString& key, const QString& value); ///< a text with line ends becomes a list of lines
    JsonWriter& texts(const QString& key, const QStringList& values);
    JsonWriter& number(const QString& key, std::optional<double> value);
    JsonWriter& whole(const QString& key, std::optional<int> value);
    /// Written when it differs from what a missing member means.
    JsonWriter& flag(const QString& key, bool value, bool whenMissing);
    JsonWriter& object(const QString& key, const JsonWriter& value, Layout layout = Layout::Spread);
    /// `OneLine`: each object is on a line of its own.
    JsonWriter& objects(const QString& key, const QList<JsonWriter>& values, Layout layout = Layout::Spread);

    bool isEmpty() const { return m_members.isEmpty(); }
    /// The text of the object; `depth` is how far its closing bracket is indented, in steps of two blanks.
    QString write(int depth = 0) const;
    QString writeOnOneLine() const;

private:
    struct Member {
        QString key;
        QString value; ///< JSON text when it has no parts
        QList<JsonWriter> parts;
        bool isList = false;
        Layout layout = Layout::Spread;
    };
    static QString quoted(const QString& text);
    QString valueText(const Member& member, int depth) const;
    void put(const QString& key, const QString& value);

    QList<Member> m_members;
};

} // namespace rankwright::inline core
