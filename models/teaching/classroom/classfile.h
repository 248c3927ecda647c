// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classcheck.h"

#include <QJsonObject>

namespace rankwright::inline teaching {

struct ClassLink {
    QString title;
    QString url; ///< https alone
    bool operator==(const ClassLink&) const = default;
};

struct ClassExercise {
    QString id; ///< letters, digits, hyphens; unique in the file
    QString title;
    QString task; ///< a few sentences; [term] or [term|shown words] marks an explained word
    JobSpec start; ///< as an ordinary design; the class's settings are put over it (startingSpec)
    QList<FieldPath> open; ///< fields that the attendee may edit; empty: those of the class
    QList<ClassCheck> checks;
    QStringList hints; ///< in order, shown one by one
    std::optional<JobSpec> solution;
    QString solutionText;
    bool operator==(const ClassExercise&) const = default;
};

struct ClassReservation {
    QString name;
    QDateTime begin, end; ///< invalid: not said
    bool operator==(const ClassReservation&) const = default;
};

/// Who signed; the bytes that were signed are classBytes().
struct ClassSignature {
    QString key; ///< public key, "ssh-ed25519 AAAA..."
    QString armoured; ///< as ssh-keygen -Y sign writes it
    bool isEmpty() const { return key.isEmpty() && armoured.isEmpty(); }
    bool operator==(const ClassSignature&) const = default;
};

/// A class file (.rwclass, docs/classes.md) as a value. It names a cluster of the catalogue and can hold neither a host
/// nor a command of its own.
struct ClassFile {
    static constexpr int version = 1; ///< that is written; newer ones are refused
    QString title;
    QString author;
    QString about; ///< a few sentences; may be empty
    QString cluster; ///< catalogue name; "practice" needs no account anywhere
    QString account; ///< empty: the attendee's own
    QString partition; ///< empty: as the designs say
    std::optional<ClassReservation> reservation;
    QString container; ///< path of an image on the cluster; empty: as the designs say
    ClassLimits limits;
    QMap<FieldPath, QJsonValue> locked; ///< fields set by the class, with their values in the design file's form
    QList<FieldPath> open; ///< fields left open; empty (and none in the exercise): all but the locked ones
    QList<ClassExercise> exercises;
    QList<ClassLink> links;
    QString acknowledgement;
    QString progressFolder; ///< on the cluster, absolute or "~/..."; empty: no progress is kept
    QDateTime expires; ///< last moment at which it can be opened, UTC; invalid: always
    ClassSignature signature; ///< empty: unsigned
    /// Deterministic JSON without the signature: what was read, byte for byte what is signed. Empty in a file made
    /// here and not yet signed; see classBytes().
    QByteArray readBytes;

    int exerciseIndex(const QString& id) const; ///< -1: none
    bool operator==(const ClassFile&) const = default;
};

} // namespace rankwright::inline teaching
