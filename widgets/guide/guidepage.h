// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/guide/guidecontent.h"

#include <QPointer>
#include <QWidget>

#include <array>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace rankwright {

class AnswerBars;
class AnswerList;
class CheckList;
class ClusterSketch;
class GuideBar;
class GuideEntries;
class JobStages;
class RankMapView;
class ScriptEditor;
class ScriptPartList;
class ScrollPage;
class StepLine;

/// The guided first job: one question at a time, its answers at the left, the picture that proves them at the right,
/// the steps on top, the job so far below. Shows what it is given and sends intents; decides nothing. Enter goes on,
/// Alt+Left goes back. A step's parts are built when it is first shown.
class GuidePage final : public QWidget {
    Q_OBJECT
public:
    explicit GuidePage(QWidget* parent = nullptr);
    ~GuidePage() override;

    void setContent(const GuideContent& content);
    GuideStep step() const { return m_step; }
    /// A further picture, below the step's own; the page owns it from now on.
    void setPicture(GuideStep step, QWidget* picture);
    /// The focus goes to what the step asks for.
    void focusStep();
    QPushButton* nextButton() const;
    /// Of the bar with Next at its foot, which no message is to cover.
    int barHeight() const;
    QSize minimumSizeHint() const override;

signals:
    void stepRequested(rankwright::GuideStep step);
    void answerChosen(rankwright::GuideStep step, const QString& id);
    void entered(const rankwright::FieldPath& field, const QString& text);
    void nextRequested(); ///< the next step, or the launch
    void backRequested();
    void stopRequested(); ///< of what is waited for
    void connectRequested();
    void designRequested(); ///< on in the Design page
    void liveRequested();
    void reportRequested();
    void jobsRequested();
    void termRequested(const QString& term, QWidget* at);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Panel {
        QWidget* left = nullptr;
        QWidget* right = nullptr;
        QVBoxLayout* pictures = nullptr;
    };
    Panel& panel(GuideStep step);
    QWidget* buildLeft(GuideStep step);
    QWidget* buildPicture(GuideStep step);
    QWidget* buildHead();
    void fillLeft(const GuideContent& content);
    void fillPicture(const GuideContent& content);
    void fillExpectation(const GuideContent& content);
    void fillClosing(const GuideContent& content);
    void showBar(const GuideContent& content);
    void arrangeColumns();
    void foldHead();

    GuideStep m_step = GuideStep::Where;
    bool m_isFilled = false;
    bool m_returnsFocus = false; ///< to Next, as soon as that is on again
    std::array<Panel, guideSteps> m_panels;
    std::array<AnswerList*, guideSteps> m_answers{};
    std::array<GuideEntries*, guideSteps> m_entries{};
    QGridLayout* m_head = nullptr;
    StepLine* m_line = nullptr;
    ScrollPage* m_scroll = nullptr;
    QBoxLayout* m_columns = nullptr;
    QVBoxLayout* m_left = nullptr;
    QVBoxLayout* m_right = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_text = nullptr;
    GuideBar* m_bar = nullptr;
    ClusterSketch* m_sketch = nullptr;
    AnswerBars* m_models = nullptr;
    QLabel* m_mapTitle = nullptr;
    RankMapView* m_map = nullptr;
    QLabel* m_mapLegend = nullptr;
    AnswerBars* m_fit = nullptr;
    ScriptPartList* m_parts = nullptr;
    ScriptEditor* m_script = nullptr;
    CheckList* m_checks = nullptr;
    QLabel* m_cost = nullptr;
    QLabel* m_start = nullptr;
    QLabel* m_outcome = nullptr; ///< of a dry run or a launch
    JobStages* m_stages = nullptr;
    QLabel* m_closing = nullptr;
    QList<GuideScriptPart> m_shownParts;
};

} // namespace rankwright
