// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/guide/guideplace.h"

#include <functional>

namespace rankwright {

/// What is kept of guided first jobs over the program's end: the present one, and one that was set aside when another
/// was begun, until that is launched. What cannot be read is not there.
class GuideShelf {
public:
    GuideShelf() = default; ///< keeps nothing
    /// Both lie in the same bytes, a line (writeGuidePlace) each, the present one first; empty: none.
    GuideShelf(std::function<QByteArray()> read, std::function<void(const QByteArray&)> write)
        : m_read(std::move(read)), m_write(std::move(write))
    { }

    std::optional<GuidePlace> present() const;
    /// The present one, or where there is none the one aside.
    std::optional<GuidePlace> toGoOn() const;
    /// The one aside beside a present one, or one that is under way and has nothing to keep yet.
    std::optional<GuidePlace> aside(bool isUnderWay) const;
    void save(const GuidePlace& place); ///< as the present one; writes only what is new
    void drop(); ///< the present one
    void dropAside();
    void dismiss(bool isUnderWay); ///< what toGoOn() offers, or the one that is under way
    /// The present one, if there is one, in place of what was aside.
    void setAside();
    /// The one aside becomes the present one, and the other way round.
    void restore();

private:
    std::optional<GuidePlace> placeAt(qsizetype line) const;
    void writePlaces(const std::optional<GuidePlace>& present, const std::optional<GuidePlace>& aside);

    std::function<QByteArray()> m_read;
    std::function<void(const QByteArray&)> m_write;
    std::optional<GuidePlace> m_written; ///< as the present one, last
};

} // namespace rankwright
