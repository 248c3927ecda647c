// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/acknowledgement.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

const Quirk* wording(const ClusterProfile& site, QStringView subject)
{
    for (const Quirk& quirk : site.quirks) {
        if (quirk.field == subject && !quirk.text.trimmed().isEmpty())
            return &quirk;
    }
    return nullptr;
}

/// A text of others becomes one line.
QString filled(QString text, const QString& course)
{
    return text.replace(u"{course}"_s, course.isEmpty() ? u"this course"_s : course).simplified();
}

} // namespace

Acknowledgement acknowledgement(const ClusterProfile& site, const QString& course, const QString& given)
{
    const QString name = course.simplified();
    if (!given.trimmed().isEmpty())
        return {filled(given, name), true, u"the class file"_s};
    const Quirk* own = name.isEmpty() ? nullptr : wording(site, QStringView(courseAcknowledgementSubject));
    if (own == nullptr)
        own = wording(site, QStringView(acknowledgementSubject));
    if (own != nullptr)
        return {filled(own->text, name), true, own->source};
    const QString title = site.title.isEmpty() ? site.name : site.title;
    const QString place = title.isEmpty() ? u"a Slurm cluster"_s : title;
    const QString of = site.operatorName.isEmpty() ? QString() : u", operated by %1"_s.arg(site.operatorName);
    if (!name.isEmpty())
        return {u"The computations were carried out on %1%2, during %3."_s.arg(place, of, name), false, {}};
    return {u"The computations of this work were carried out on %1%2."_s.arg(place, of), false, {}};
}

} // namespace rankwright::inline teaching
