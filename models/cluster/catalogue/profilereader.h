// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/core/jsonreader.h"

#include <functional>

namespace rankwright::inline cluster {

/// GPUs that one node can have for this program; more in a file is a mistake.
inline constexpr int mostGpusOfNode = 64;

/// Typed reads that the catalogue needs beyond plain JSON: sizes, times and core lists are written as Slurm writes
/// them. Wraps a reader for the length of one call; does not own it.
class ProfileReader {
public:
    explicit ProfileReader(JsonReader& json);

    QString text(const QString& key);
    QString longText(const QString& key);
    QString neededText(const QString& key);
    int whole(const QString& key, int low, int fallback);
    std::optional<int> maybeWhole(const QString& key, int low);
    double neededNumber(const QString& key);
    std::optional<double> maybePositive(const QString& key);
    bool flag(const QString& key, bool fallback);
    QStringList texts(const QString& key);
    std::optional<Bytes> maybeMemory(const QString& key);
    std::optional<Seconds> maybeTime(const QString& key);
    QList<int> cores(const QString& key);
    /// The place in `words` of a text member; a fault that lists the words when it is another or missing.
    int oneOf(const QString& key, const QStringList& words);
    /// The same for the words of a fixed set (wordOf()).
    template <typename Enum>
    Enum oneOf(const QString& key)
    {
        QStringList words;
        for (int number = 0; !wordOf(Enum(number)).isEmpty(); ++number)
            words.append(wordOf(Enum(number)).toString());
        return Enum(oneOf(key, words));
    }
    /// Calls `part` for each object of a list and takes over its faults.
    void each(const QString& key, const std::function<void(ProfileReader&)>& part);
    /// Calls `part` for an object member, if there is one.
    void within(const QString& key, const std::function<void(ProfileReader&)>& part);

    JsonReader& json() { return m_json; }

private:
    JsonReader& m_json;
};

/// A day, month or year such as "2026-08-21"; a fault where the member has another form.
QString readDay(ProfileReader& reader, const QString& key);
/// `images`, `releases` and `checked` of an object whose lines are written into scripts.
LineEvidence readEvidence(ProfileReader& reader);

/// How to log in. Like all readers of a part of the file it never stops at a fault: the reader keeps the first one.
void readLogin(ProfileReader& reader, LoginRule& login);

} // namespace rankwright::inline cluster
