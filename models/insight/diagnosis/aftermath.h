// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace rankwright::inline insight {

/// Only a program that came to the end of its training says so.
bool saysEndOfTraining(const QString& text);

/// What one output says after a line that may mean a failure: a program that goes on training has survived it, and one
/// that reported no GPU trains without. Looks at the next lines only (a quarter of a mebibyte at most).
class Aftermath {
public:
    /// "No GPU", and whose words they are.
    struct Lack {
        QString text;
        std::optional<qint64> line; ///< as of the diagnosis, as the offset
        std::optional<qint64> offset;
        bool isOfTensorflow = false; ///< says so of itself: of no account where another library trains
    };
    enum class Seen {
        Nothing,
        Survived, ///< the training went on
        TrainsWithoutGpu, ///< lack() is true
    };
    /// An error was reported at this byte of its output: does the training go on? `before`: some of what this output
    /// said before.
    void watchError(QByteArrayView before, qint64 offset);
    void watchLack(const Lack& lack);
    bool isWatching() const { return m_errorBytes > 0 || m_lackBytes > 0; }
    /// The next piece of this output, whatever it says. Each answer is given once.
    Seen follow(QByteArrayView piece);
    const Lack& lack() const { return m_lack; }

private:
    /// How far a training is, as its lines say it.
    struct Place {
        std::optional<qint64> step;
        std::optional<double> epoch; ///< of lines without a step
        bool isKnown() const { return step || epoch; }
        bool isBeyond(const Place& other) const;
    };
    static Place placeIn(QByteArrayView piece);
    void readBefore(QByteArrayView before, qint64 offset);
    bool isSurvived(QByteArrayView piece);

    qint64 m_errorBytes = 0; ///< still to be read; 0: nothing is watched
    qint64 m_lackBytes = 0;
    qint64 m_sinceError = 0;
    int m_errors = 0; ///< watched so far
    Place m_place; ///< newest one
    bool m_isPrompt = false; ///< this output writes its lines at once, as far as what came before the error shows
    bool m_isSaid = false; ///< it says that it goes on
    int m_advances = 0; ///< in a bar, or in lines that are written at once
    int m_lateAdvances = 0; ///< where no buffer of a program that has ended reaches
    Lack m_lack;
};

} // namespace rankwright::inline insight
