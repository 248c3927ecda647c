// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>

#include <optional>

namespace rankwright {

/// One JSON object whose members keep the order in which they were put (QJsonObject sorts them) and leave out what is
/// empty. Small objects can stand on one line, as rows of a table do.
class JsonLines {
public:
    JsonLines& text(const QString& key, const QString& value); ///< a text with line ends becomes a list of lines
    JsonLines& texts(const QString& key, const QStringList& values);
    JsonLines& number(const QString& key, std::optional<double> value);
    JsonLines& whole(const QString& key, std::optional<int> value);
    /// Written when it differs from what a missing member means.
    JsonLines& flag(const QString& key, bool value, bool whenMissing);
    JsonLines& object(const QString& key, const JsonLines& value, bool onOneLine = false);
    /// Each object on a line of its own when `onOneLine`.
    JsonLines& objects(const QString& key, const QList<JsonLines>& values, bool onOneLine = false);

    bool isEmpty() const { return m_members.isEmpty(); }
    /// The text of the object; `depth` is how far its closing bracket is indented, in steps of two blanks.
    QString write(int depth = 0) const;
    QString writeOnOneLine() const;

private:
    struct Member {
        QString key;
        QString value; ///< JSON text when it has no parts
        QList<JsonLines> parts;
        bool isList = false;
        bool onOneLine = false;
    };
    static QString quoted(const QString& text);
    QString valueText(const Member& member, int depth) const;
    void put(const QString& key, const QString& value);

    QList<Member> m_members;
};

} // namespace rankwright
