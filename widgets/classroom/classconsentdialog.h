// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classprogress.h"

#include <QDialog>
#include <QStringList>

class QCheckBox;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace rankwright {

/// What a person is told before a class begins. Texts of the class as they are in the file.
struct ClassConsent {
    enum class Trust {
        Shipped, ///< part of the program
        Known, ///< signed, by the key that was accepted before
        First, ///< signed, by a key not seen before
        Changed, ///< signed by another key than the remembered one: refused
        Refused ///< unsigned, or the signature is not of this file
    };
    QString title;
    QString author;
    QStringList effects; ///< what it will do, whole sentences (classEffects)
    Trust trust = Trust::Refused;
    QString fingerprint; ///< of the key that signed; empty: none
    QString knownFingerprint; ///< Changed: the one that is remembered
    QString why; ///< Changed, Refused: what is wrong
    QString forget; ///< Changed: the command by which the old key is forgotten on purpose
    QString sharedFile; ///< where progress would be written; empty: the class asks for none
    ProgressLine sharedLine; ///< exactly what would be written, as an example, with the name that was given last
    bool clusterKnown = true; ///< the catalogue has it; else there is nothing that could be begun
    bool operator==(const ClassConsent&) const = default;
};

/// Asks whether a class may begin: first what it will do, then who signed it. Enter refuses, unless the class is part
/// of the program or of a teacher known here. What is refused, or works on a cluster that is
/// not known here, has no button that goes on. Nothing of the class is
/// taken for rich text.
class ClassConsentDialog final : public QDialog {
    Q_OBJECT
public:
    explicit ClassConsentDialog(const ClassConsent& consent, QWidget* parent = nullptr);

    /// The person agreed to note progress; never before a click.
    bool sharesProgress() const;
    /// What the teacher may call them; empty: nothing.
    QString sharedName() const;

private:
    void addTrust(QVBoxLayout* column);
    void addFingerprint(QVBoxLayout* column);
    void addProgress(QVBoxLayout* column);
    void addButtons(QVBoxLayout* column);
    QLabel* addText(QVBoxLayout* column, const QString& text, const char* role);

    const ClassConsent m_consent;
    QCheckBox* m_shares = nullptr;
    QLineEdit* m_name = nullptr;
};

} // namespace rankwright
