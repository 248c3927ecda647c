// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"

namespace rankwright::inline teaching {

/// The subject under which a cluster file keeps the site's own wording (`quirks`, docs/catalogue.md); {course} in it
/// stands for the name of a course.
inline constexpr const char16_t* acknowledgementSubject = u"acknowledgement";
/// The same of the wording for a course.
inline constexpr const char16_t* courseAcknowledgementSubject = u"acknowledgement.course";

/// A sentence for a paper or a report.
struct Acknowledgement {
    QString text;
    bool known = false; ///< the site's own wording; else a plain sentence made from what is known of it
    QString source; ///< where the wording is from; empty with !known
    bool operator==(const Acknowledgement&) const = default;
};

/// For `course` (empty: for work of one's own). `given`: a wording that goes before the catalogue's (of a class file).
Acknowledgement acknowledgement(const ClusterProfile& site, const QString& course = {}, const QString& given = {});

} // namespace rankwright::inline teaching
