// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/classeditordialog.h"

#include "models/teaching/classroom/classreader.h"
#include "widgets/base/card.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/scrollpage.h"
#include "widgets/base/wheelguard.h"
#include "widgets/classroom/classfieldsform.h"
#include "widgets/classroom/exerciseeditor.h"
#include "widgets/classroom/reservationpicture.h"
#include "widgets/classroom/solutiontrial.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QTabWidget>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize editorSize{860, 660};
constexpr int listWidth = 210;
constexpr int usualPeople = 20;

QWidget* scrolling(QWidget* page, const QString& name, QWidget* parent)
{
    auto* scroll = new ScrollPage(parent);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(name);
    page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    scroll->setWidget(page);
    return scroll;
}

QString siteWord(SiteState state)
{
    switch (state) {
    case SiteState::Good: return ClassEditorDialog::tr("in order");
    case SiteState::Bad: return ClassEditorDialog::tr("in the way");
    case SiteState::Unknown: break;
    }
    return ClassEditorDialog::tr("not known");
}

/// A shape before the word.
QChar siteShape(SiteState state) { return state == SiteState::Good ? u'✓' : state == SiteState::Bad ? u'✕' : u'?'; }

} // namespace

ClassEditorDialog::ClassEditorDialog(const Catalogue& catalogue, const ClassFile& file, QWidget* parent)
    : QDialog(parent), m_catalogue(catalogue)
{
    setFileName({});
    new WheelGuard(this);
    auto* column = new QVBoxLayout(this);
    m_tabs = new QTabWidget(this);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setAccessibleName(tr("Parts of the class"));
    m_tabs->tabBar()->setAccessibleName(m_tabs->accessibleName());
    m_fields = new ClassFieldsForm(catalogue, this);
    m_tabs->addTab(scrolling(m_fields, tr("The class"), this), tr("The class"));
    m_tabs->addTab(buildExercises(), tr("Exercises"));
    m_tabs->addTab(scrolling(buildSite(), tr("Before the day"), this), tr("Before the day"));
    column->addWidget(m_tabs, 1);
    m_fault = makeLabel({}, "fault", this);
    m_fault->setObjectName(u"classFault"_s);
    m_fault->setWordWrap(true);
    column->addWidget(m_fault);
    m_outcome = makeLabel({}, "plain", this);
    m_outcome->setWordWrap(true);
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_outcome->hide();
    m_copy = new QPushButton(tr("Copy the fingerprint"), this);
    m_copy->setObjectName(u"copyFingerprint"_s);
    m_copy->setToolTip(tr("For a slide: attendees compare it when they open the class"));
    m_copy->hide();
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_fingerprint); });
    auto* became = new QHBoxLayout;
    became->addWidget(m_outcome, 1);
    became->addWidget(m_copy, 0, Qt::AlignTop);
    column->addLayout(became);
    buildButtons(column);
    connect(m_fields, &ClassFieldsForm::edited, this, &ClassEditorDialog::readFields);
    for (QPushButton* each : findChildren<QPushButton*>())
        each->setAutoDefault(false); // Enter in a field must not press any of them
    resize(editorSize);
    setFile(file);
    m_fields->focusFirst();
}

QWidget* ClassEditorDialog::buildExercises()
{
    auto* page = new QWidget(this);
    auto* row = new QHBoxLayout(page);
    auto* left = new QVBoxLayout;
    m_list = new QListWidget(page);
    m_list->setAccessibleName(tr("Exercises"));
    m_list->setFixedWidth(listWidth);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    left->addWidget(m_list, 1);
    const auto add = [this, page, left](const QString& text, const QString& name) {
        auto* button = new QPushButton(text, page);
        button->setObjectName(name);
        button->setAutoDefault(false);
        left->addWidget(button);
        return button;
    };
    connect(add(tr("Add an exercise"), u"addExercise"_s), &QPushButton::clicked, this, &ClassEditorDialog::addExercise);
    m_up = add(tr("Earlier"), u"earlier"_s);
    m_down = add(tr("Later"), u"later"_s);
    m_remove = add(tr("Remove"), u"removeExercise"_s);
    connect(m_up, &QPushButton::clicked, this, [this] { moveExercise(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveExercise(1); });
    connect(m_remove, &QPushButton::clicked, this, &ClassEditorDialog::removeExercise);
    row->addLayout(left);
    m_exercise = new ExerciseEditor(page);
    row->addWidget(scrolling(m_exercise, tr("Exercise"), page), 1);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int index) {
        if (!m_lists)
            showExercise(index);
    });
    connect(m_exercise, &ExerciseEditor::edited, this, &ClassEditorDialog::readExercise);
    return page;
}

QWidget* ClassEditorDialog::buildSite()
{
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    auto* words = makeLabel(
        tr("Asks the connected cluster whether project, partition and reservation are there, and large enough."),
        "quiet", page);
    words->setWordWrap(true);
    column->addWidget(words);
    auto* row = new QHBoxLayout;
    m_people = new QSpinBox(page);
    m_people->setRange(1, 1000);
    m_people->setValue(usualPeople);
    m_people->setAccessibleName(tr("People at once"));
    auto* label = makeLabel(tr("People at once"), "quiet", page);
    label->setBuddy(m_people);
    m_check = new QPushButton(tr("Check against the cluster"), page);
    m_check->setObjectName(u"checkSite"_s);
    m_check->setAutoDefault(false);
    m_asking = new QProgressBar(page);
    m_asking->setRange(0, 0);
    m_asking->setTextVisible(false);
    m_asking->setFixedWidth(90);
    m_asking->setAccessibleName(tr("Asking the cluster"));
    m_asking->hide();
    auto* progress = new QPushButton(tr("Who is where …"), page);
    progress->setObjectName(u"progress"_s);
    progress->setAutoDefault(false);
    row->addWidget(label);
    row->addWidget(m_people);
    row->addWidget(m_check);
    row->addWidget(m_asking);
    row->addStretch(1);
    row->addWidget(progress);
    column->addLayout(row);
    m_reservation = new ReservationPicture(page);
    m_reservation->hide();
    column->addWidget(m_reservation);
    m_site = makeLabel({}, "plain", page);
    m_site->setObjectName(u"siteVerdicts"_s);
    m_site->setWordWrap(true);
    column->addWidget(m_site);
    m_connect = new QPushButton(tr("Connect, then check"), page);
    m_connect->setObjectName(u"connectSite"_s);
    m_connect->hide();
    column->addWidget(m_connect, 0, Qt::AlignLeft);
    m_solutions = new SolutionTrial(page);
    column->addWidget(m_solutions);
    column->addStretch(1);
    connect(m_solutions, &SolutionTrial::runWanted, this,
        [this](const QString& cluster) { emit solutionsWanted(file(), cluster); });
    connect(m_connect, &QPushButton::clicked, this, [this] { emit connectWanted(file().cluster); });
    connect(m_check, &QPushButton::clicked, this, [this] {
        if (m_isAsking)
            emit siteCheckStopped();
        else
            emit siteCheckWanted(file(), m_people->value());
    });
    connect(progress, &QPushButton::clicked, this, [this] { emit progressWanted(file()); });
    return page;
}

void ClassEditorDialog::buildButtons(QVBoxLayout* column)
{
    auto* row = new QHBoxLayout;
    const auto add = [this, row](const QString& text, const QString& name) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(name);
        button->setAutoDefault(false);
        row->addWidget(button);
        return button;
    };
    auto* open = add(tr("Open …"), u"openClass"_s);
    row->addStretch(1);
    m_preview = add(tr("Preview as an attendee"), u"preview"_s);
    m_save = add(tr("Sign and save …"), u"save"_s);
    m_save->setProperty("accent", true);
    auto* close = add(tr("Close"), u"close"_s);
    connect(open, &QPushButton::clicked, this, &ClassEditorDialog::openWanted);
    connect(m_preview, &QPushButton::clicked, this, [this] { emit previewWanted(file()); });
    connect(m_save, &QPushButton::clicked, this, [this] {
        if (isFaultless())
            emit saveWanted(file());
    });
    connect(close, &QPushButton::clicked, this, &ClassEditorDialog::reject);
    column->addLayout(row);
}

void ClassEditorDialog::setFile(const ClassFile& file)
{
    m_file = unsignedClass(file);
    m_saved = m_file;
    m_fields->setFile(m_file);
    m_current.reset();
    listExercises(0);
    placeSolutions();
    checkAll();
}

ClassFile ClassEditorDialog::file() const { return unsignedClass(m_file); }

void ClassEditorDialog::setPresent(const JobSpec& spec) { m_exercise->setPresent(spec); }

void ClassEditorDialog::readFields()
{
    const QString before = m_file.cluster;
    m_fields->write(m_file);
    if (m_file.cluster != before) {
        moveDesigns();
        placeSolutions();
    }
    checkAll();
}

/// The exercises' designs go along to another cluster. Their partitions stay: on the way to it others are passed.
void ClassEditorDialog::moveDesigns()
{
    for (ClassExercise& exercise : m_file.exercises) {
        exercise.start.cluster = m_file.cluster;
        if (exercise.solution)
            exercise.solution->cluster = m_file.cluster;
    }
    listExercises(m_current.value_or(-1));
}

/// The practice cluster first: jobs there cost nothing.
void ClassEditorDialog::placeSolutions()
{
    QList<SolutionTrial::Place> places;
    for (const QString& cluster : {QString::fromUtf16(practiceName), m_file.cluster}) {
        const ClusterProfile* profile = m_catalogue.find(cluster);
        if (profile && (places.isEmpty() || places.first().cluster != cluster))
            places.append({cluster, profile->title});
    }
    m_solutions->setPlaces(places);
}

/// A design asks for a partition that the cluster has not; empty: none does, or the cluster is not known here.
QString ClassEditorDialog::partitionFault() const
{
    const ClusterProfile* profile = m_catalogue.find(m_file.cluster);
    if (!profile || !m_file.partition.isEmpty()) // which holds for all
        return {};
    for (const ClassExercise& exercise : m_file.exercises) {
        for (const JobSpec& spec : {exercise.start, exercise.solution.value_or(exercise.start)}) {
            if (spec.partition && !profile->partitions.isEmpty() && !profile->partition(*spec.partition))
                return tr("Exercise “%1”: %2 has no partition %3. Take a design for it from the Design page.")
                    .arg(exercise.title, profile->title, *spec.partition);
        }
    }
    return {};
}

void ClassEditorDialog::addExercise()
{
    if (m_file.exercises.size() >= classbounds::exercises)
        return;
    ClassExercise made = newClass(m_file.cluster, m_file.title, m_file.author).exercises.value(0);
    int number = int(m_file.exercises.size()) + 1;
    while (m_file.exerciseIndex(u"exercise-%1"_s.arg(number)) >= 0)
        ++number;
    made.id = u"exercise-%1"_s.arg(number);
    made.title = tr("Exercise %1").arg(number);
    m_file.exercises.append(made);
    listExercises(int(m_file.exercises.size()) - 1);
    checkAll();
}

void ClassEditorDialog::removeExercise()
{
    if (!m_current || m_file.exercises.size() < 2)
        return;
    const int at = *m_current;
    if (m_removesNext != at) {
        m_removesNext = at;
        showOutcome(tr("“%1” is removed with its designs and checks, and this cannot be undone. Press Remove again.")
                        .arg(m_file.exercises.at(at).title),
            Tone::Bad);
        return;
    }
    m_file.exercises.removeAt(at);
    m_current.reset();
    listExercises(qMin(at, int(m_file.exercises.size()) - 1));
    checkAll();
}

void ClassEditorDialog::moveExercise(int by)
{
    const int to = m_current.value_or(0) + by;
    if (!m_current || to < 0 || to >= m_file.exercises.size())
        return;
    m_file.exercises.swapItemsAt(*m_current, to);
    m_current.reset();
    listExercises(to);
    checkAll();
}

void ClassEditorDialog::listExercises(int current)
{
    m_lists = true;
    m_list->clear();
    for (const ClassExercise& exercise : std::as_const(m_file.exercises)) {
        m_list->addItem(exercise.title);
        m_list->item(m_list->count() - 1)->setToolTip(richToolTip(exercise.title));
    }
    m_list->setCurrentRow(current);
    m_lists = false;
    showExercise(current);
}

void ClassEditorDialog::showExercise(int index)
{
    m_removesNext.reset();
    const bool any = index >= 0 && index < m_file.exercises.size();
    m_current = any ? std::optional(index) : std::nullopt;
    m_exercise->setEnabled(any);
    m_remove->setEnabled(m_file.exercises.size() > 1);
    m_up->setEnabled(any && index > 0);
    m_down->setEnabled(any && index + 1 < m_file.exercises.size());
    if (!any)
        return;
    QStringList former;
    QStringList others;
    for (int i = 0; i < m_file.exercises.size(); ++i) {
        if (i < index)
            former.append(m_file.exercises.at(i).id);
        if (i != index)
            others.append(m_file.exercises.at(i).id);
    }
    m_exercise->setExercise(m_file.exercises.at(index), former, others);
}

void ClassEditorDialog::readExercise()
{
    if (!m_current || *m_current >= m_file.exercises.size())
        return;
    m_file.exercises[*m_current] = m_exercise->exercise();
    m_list->item(*m_current)->setText(m_exercise->exercise().title);
    checkAll();
}

bool ClassEditorDialog::isFaultless() const
{
    return m_fields->faults() == 0 && m_exercise->faults() == 0 && !classFault(file()) && partitionFault().isEmpty();
}

/// What stands below single fields, and what the reader of an attendee would say of the whole.
void ClassEditorDialog::checkAll()
{
    m_asksAgain = false;
    m_removesNext.reset();
    m_outcome->hide();
    m_copy->hide();
    setWindowModified(isChanged());
    const auto whole = classFault(file());
    const int single = m_fields->faults() + m_exercise->faults();
    const QString text = single > 0 ? tr("A field above has an error and says what it is.")
        : whole                     ? whole->what
                                    : partitionFault();
    m_fault->setText(text);
    m_fault->setVisible(!text.isEmpty());
    m_save->setEnabled(text.isEmpty());
    m_save->setToolTip(text.isEmpty() ? QString() : tr("Only once it is in order"));
    m_preview->setEnabled(!whole);
    m_solutions->setFault(text.isEmpty() ? QString() : tr("Only once the class is in order"));
}

void ClassEditorDialog::showSite(const QList<SiteVerdict>& verdicts, const std::optional<ReservationFit>& fit)
{
    setSiteBusy(false);
    if (fit)
        m_reservation->setFit(*fit, QDateTime::currentDateTimeUtc());
    m_reservation->setVisible(fit.has_value());
    QStringList lines;
    for (const SiteVerdict& verdict : verdicts)
        lines.append(
            tr("%1 %2 – %3: %4")
                .arg(QString(siteShape(verdict.state)), verdict.subject, siteWord(verdict.state), verdict.text));
    m_site->setText(lines.join(u'\n'));
    setStyleProperty(m_site, "tone", u"plain"_s);
}

void ClassEditorDialog::showSiteTrouble(const Error& why)
{
    setSiteBusy(false);
    m_site->setText(why.oneLine());
    setStyleProperty(m_site, "tone", u"bad"_s);
    m_connect->setVisible(why.fault == Fault::Offline);
}

void ClassEditorDialog::setSiteBusy(bool busy)
{
    m_isAsking = busy;
    m_connect->hide();
    m_reservation->hide(); // it was of another answer
    m_asking->setVisible(busy);
    m_check->setText(busy ? tr("Stop asking") : tr("Check against the cluster"));
    m_people->setEnabled(!busy);
    if (busy)
        setStyleProperty(m_site, "tone", u"plain"_s);
    m_site->setText(busy ? tr("Asking the cluster …") : QString());
}

void ClassEditorDialog::showOutcome(const QString& text, Tone tone)
{
    m_outcome->setText(text);
    setStyleProperty(m_outcome, "tone", tone == Tone::Bad ? u"bad"_s : u"good"_s);
    m_outcome->setVisible(!text.isEmpty());
    m_copy->hide();
}

void ClassEditorDialog::showSaved(const QString& path, const QString& fingerprint)
{
    m_fingerprint = fingerprint;
    showOutcome(tr("Signed and saved as %1. Show attendees the fingerprint of your key: %2").arg(path, fingerprint),
        Tone::Good);
    m_copy->setVisible(!fingerprint.isEmpty());
}

void ClassEditorDialog::markSaved()
{
    m_saved = file();
    setWindowModified(false);
}

void ClassEditorDialog::setFileName(const QString& name)
{
    setWindowTitle(name.isEmpty() ? tr("New class[*]") : tr("%1[*] – class").arg(name));
}

int ClassEditorDialog::people() const { return m_people->value(); }

bool ClassEditorDialog::isChanged() const { return !(file() == m_saved); }

void ClassEditorDialog::reject()
{
    if (isChanged() && !m_asksAgain) {
        m_asksAgain = true;
        showOutcome(tr("Changes are not saved. Close again to discard them."), Tone::Bad);
        return;
    }
    QDialog::reject();
}

} // namespace rankwright
