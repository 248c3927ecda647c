// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/classroom/classsigner.h"
#include "models/cluster/catalogue/catalogue.h"

#include <QObject>
#include <QPointer>

namespace rankwright {

class ClassConsentDialog;
class MainWindow;
class Settings;

/// A class that was read, and what is known of who made it.
struct OpenedClass {
    ClassFile file;
    ClassVerdict verdict;
    QString path; ///< of the file; "shipped:NAME" of one that came with the program
};

/// What an attendee has agreed to have noted for the teacher, and under which alias and name.
struct AgreedSharing {
    bool shares = false;
    QString alias;
    QString name; ///< empty: none was given
};

/// The way into a class: reads a file, has its signature verified, says what the class will do and asks. A key that is
/// accepted for the first time is remembered before anything begins. Changes nothing else. Files and ssh-keygen are
/// waited for on another thread.
class ClassOpener final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Catalogue& catalogue;
        Settings& settings; ///< has the alias under which steps are noted
        MainWindow& window;
        QString dataFolder;
    };
    explicit ClassOpener(const Parts& parts, QObject* parent = nullptr);
    ~ClassOpener() override;

    /// Empty: asks for the file first.
    void open(const QString& path);
    /// One that came with the program; unknown names do nothing.
    void openShipped(const QString& name);
    /// A link "rankwright://class?...": a file's is opened, an address is only shown.
    void openLink(const QString& link);
    /// By OpenedClass::path.
    void openAgain(const QString& path);
    /// The same without a question where everything was agreed to before: a class of the program or of an accepted key,
    /// and exactly the file whose classDigest() is `agreed`. Else it is asked as at the first time.
    void resume(const QString& path, const QString& agreed);

    ClassConsentDialog* question() const; ///< null: nothing is asked

signals:
    /// A person has agreed.
    void classAccepted(const rankwright::OpenedClass& opened, const rankwright::AgreedSharing& sharing);
    void classResumed(const rankwright::OpenedClass& opened);
    void failed(const rankwright::Error& why);

private:
    static Result<OpenedClass> readAndVerify(const QString& path, const QString& dataFolder);
    void read(const QString& path, const std::function<void(const OpenedClass&)>& then);
    void askFile();
    void ask(const OpenedClass& opened);
    void accept(const OpenedClass& opened, const AgreedSharing& sharing);

    Parts m_parts;
    QPointer<ClassConsentDialog> m_question;
    int m_asked = 0; ///< files that were asked to be read; the last one counts
};

} // namespace rankwright
