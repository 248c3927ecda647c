// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/guideshelf.h"

namespace rankwright {

std::optional<GuidePlace> GuideShelf::placeAt(qsizetype line) const
{
    return m_read ? readGuidePlace(m_read().split('\n').value(line)) : std::nullopt;
}

void GuideShelf::writePlaces(const std::optional<GuidePlace>& present, const std::optional<GuidePlace>& aside)
{
    QByteArray bytes = present ? writeGuidePlace(*present) : QByteArray();
    if (aside)
        bytes += '\n' + writeGuidePlace(*aside);
    if (m_write)
        m_write(bytes);
}

std::optional<GuidePlace> GuideShelf::present() const { return placeAt(0); }

std::optional<GuidePlace> GuideShelf::toGoOn() const
{
    const auto its = present();
    return its ? its : placeAt(1);
}

std::optional<GuidePlace> GuideShelf::aside(bool isUnderWay) const
{
    return isUnderWay || present() ? placeAt(1) : std::nullopt;
}

void GuideShelf::save(const GuidePlace& place)
{
    if (m_written == place)
        return;
    writePlaces(place, placeAt(1));
    m_written = place;
}

void GuideShelf::drop()
{
    writePlaces({}, placeAt(1));
    m_written.reset();
}

void GuideShelf::dropAside() { writePlaces(present(), {}); }

void GuideShelf::dismiss(bool isUnderWay)
{
    if (isUnderWay || present())
        drop();
    else
        dropAside();
}

void GuideShelf::setAside()
{
    const auto its = present();
    if (!its)
        return;
    writePlaces({}, its);
    m_written.reset();
}

void GuideShelf::restore()
{
    const auto back = placeAt(1);
    if (!back)
        return;
    writePlaces(back, present());
    m_written = back;
}

} // namespace rankwright
