// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/tone.h"
#include "models/teaching/classroom/reservationfit.h"

#include <QDialog>

#include <optional>

class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTabWidget;
class QVBoxLayout;

namespace rankwright {

class ClassFieldsForm;
class ExerciseEditor;
class ReservationPicture;
class SolutionTrial;

/// A class file for its teacher: what holds for all, the exercises, what is wrong and where. Preview, check against the
/// live cluster, and signing are asked for by signals; it writes nothing itself.
class ClassEditorDialog final : public QDialog {
    Q_OBJECT
public:
    ClassEditorDialog(const Catalogue& catalogue, const ClassFile& file, QWidget* parent = nullptr);

    ClassFile file() const; ///< as it stands, unsigned
    void setFile(const ClassFile& file);
    /// In the title; empty: it was never saved.
    void setFileName(const QString& name);
    /// The present design of the window, for "take the present design".
    void setPresent(const JobSpec& spec);
    /// The cluster is asked: with a way to stop that; false: it is asked no more.
    void setSiteBusy(bool busy);
    /// `fit` is drawn above them.
    void showSite(const QList<SiteVerdict>& verdicts, const std::optional<ReservationFit>& fit = {});
    void showSiteTrouble(const Error& why);
    /// What became of it, one sentence; `bad`: it went wrong.
    void showOutcome(const QString& text, Tone tone);
    /// Signed and written; the fingerprint of the key is offered to be copied.
    void showSaved(const QString& path, const QString& fingerprint);
    /// What is kept on disk is this.
    void markSaved();
    bool isChanged() const;
    int people() const; ///< that the cluster must have room for at once
    bool isFaultless() const;
    /// Where the solutions are run, and what is said of it.
    SolutionTrial& solutions() const { return *m_solutions; }

signals:
    void openWanted();
    void previewWanted(const rankwright::ClassFile& file);
    void siteCheckWanted(const rankwright::ClassFile& file, int people);
    void siteCheckStopped();
    void solutionsWanted(const rankwright::ClassFile& file, const QString& cluster); ///< as jobs there
    void connectWanted(const QString& cluster); ///< and then that check
    void saveWanted(const rankwright::ClassFile& file); ///< signed; only when nothing is wrong
    void progressWanted(const rankwright::ClassFile& file);

protected:
    void reject() override;

private:
    QWidget* buildExercises();
    QWidget* buildSite();
    void buildButtons(QVBoxLayout* column);
    void readFields();
    void placeSolutions();
    void moveDesigns();
    QString partitionFault() const;
    void addExercise();
    void removeExercise();
    void moveExercise(int by);
    void listExercises(int current);
    void showExercise(int index);
    void readExercise();
    void checkAll();

    const Catalogue& m_catalogue;
    ClassFile m_file;
    ClassFile m_saved;
    std::optional<int> m_current; ///< exercise that is shown
    bool m_lists = false;
    std::optional<int> m_removesNext; ///< it was said once that this exercise would go
    bool m_asksAgain = false; ///< it was said once that changes would be lost
    QTabWidget* m_tabs = nullptr;
    ClassFieldsForm* m_fields = nullptr;
    QListWidget* m_list = nullptr;
    ExerciseEditor* m_exercise = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_up = nullptr;
    QPushButton* m_down = nullptr;
    QSpinBox* m_people = nullptr;
    QPushButton* m_check = nullptr;
    QProgressBar* m_asking = nullptr;
    bool m_isAsking = false;
    ReservationPicture* m_reservation = nullptr;
    QLabel* m_site = nullptr;
    SolutionTrial* m_solutions = nullptr;
    QPushButton* m_connect = nullptr;
    QLabel* m_fault = nullptr;
    QLabel* m_outcome = nullptr;
    QPushButton* m_copy = nullptr;
    QString m_fingerprint;
    QPushButton* m_preview = nullptr;
    QPushButton* m_save = nullptr;
};

} // namespace rankwright
