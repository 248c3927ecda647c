// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/login/loginsteps.h"
#include "models/cluster/remote/loginprompt.h"
#include "models/cluster/transfer/transferplan.h"
#include "models/tables/recordingmodel.h"
#include "tests/shots/livefixture.h"
#include "widgets/forward/reachdialog.h"

/// What dialogs ask and say, as one meets it on real sites.
namespace rankwright::shots {

inline LoginPrompt hostKey(const QStringList& published)
{
    LoginPrompt key;
    key.kind = LoginPrompt::Kind::HostKey;
    key.host = u"ada@lumi.csc.fi:22"_s;
    key.keyType = u"ssh-ed25519"_s;
    key.fingerprint = u"SHA256:qCFZThjRw8nf0CiZ9rU7b6Zirjq8slAIl5r0xWaVoD0"_s;
    key.published = published;
    key.knownHostsFile = u"/home/ada/.ssh/known_hosts"_s;
    return key;
}

inline LoginPrompt question(LoginPrompt::Kind kind, const QList<LoginPrompt::Question>& questions)
{
    LoginPrompt prompt;
    prompt.kind = kind;
    prompt.host = u"ada@gate.mpcdf.mpg.de:22"_s;
    prompt.questions = questions;
    return prompt;
}

inline LoginSteps triedSteps(bool failed)
{
    LoginSteps steps;
    const auto good = [&steps](LoginStepKind kind, const QString& evidence) {
        steps.set(kind, {Light::Ok, evidence, {}, {}});
    };
    good(LoginStepKind::Key, u"~/.ssh/id_ed25519, with a passphrase"_s);
    good(LoginStepKind::Name, u"lumi.csc.fi is 193.167.209.163"_s);
    good(LoginStepKind::Port, u"SSH-2.0-OpenSSH_9.6 after 31 ms"_s);
    good(LoginStepKind::HostKey, u"ssh-ed25519 SHA256:qCFZThjRw8nf0CiZ9rU7b6Zirjq8slAIl5r0xWaVoD0, as published"_s);
    good(LoginStepKind::Method, u"publickey"_s);
    if (failed) {
        steps.set(LoginStepKind::Login,
            {Light::Failed, u"ada@lumi.csc.fi: Permission denied (publickey)."_s,
                u"Paste the public half of your key into MyAccessID and wait up to an hour, then test again."_s,
                {u"wrong_user"_s, u"key_not_registered"_s, u"wrong_key"_s}});
        return steps;
    }
    good(LoginStepKind::Login, u"as ada, with the key ~/.ssh/id_ed25519"_s);
    good(LoginStepKind::StartUp, u"/bin/bash, silent"_s);
    good(LoginStepKind::Slurm, u"slurm 24.05.8"_s);
    steps.set(LoginStepKind::Account,
        {Light::Unknown, u"project_465000001 is yours; whether it has GPU-hours left is not reported"_s,
            u"Ask your project's manager, or see the site's page."_s, {}});
    return steps;
}

inline RecordingRow recording(const QString& job, const QString& name, JobState state, int nodes, int hours, double mib)
{
    RecordingRow row;
    row.path = u"/home/ada/.local/share/rankwright/recordings/lumi-%1.rwr"_s.arg(job);
    row.cluster = u"lumi"_s;
    row.job.id = job;
    row.job.name = name;
    row.job.state = state;
    const qint64 from = now - (9'304'947 - job.toLongLong()) * 1'700'000;
    row.span = {from, from + hours * 3'600'000LL};
    row.nodes = nodes;
    row.gpusPerNode = 8;
    row.gpuWord = u"GCD"_s;
    row.bytes = qint64(mib * 1024 * 1024);
    row.isWritten = state == JobState::Running;
    return row;
}

inline QList<RecordingRow> recordings()
{
    QList<RecordingRow> rows{recording(u"9304946"_s, u"llama8b"_s, JobState::Running, 4, 2, 4.2),
        recording(u"9304902"_s, u"gpt-imdb"_s, JobState::Completed, 2, 1, 0.9),
        recording(u"9304877"_s, u"gpt-imdb"_s, JobState::Failed, 2, 1, 0.2),
        recording(u"9304790"_s, u"sweep-learning-rate-and-batch-size-of-the-eight-billion-model"_s, JobState::Cancelled,
            64, 3, 71.4),
        recording(u"9304602"_s, u"llama70b"_s, JobState::Unknown, 16, 26, 118.0)};
    rows.append(recording(u"9304001"_s, u"old"_s, JobState::Completed, 1, 1, 0.1));
    rows.last().fault = u"This file is not a recording of this program, or its beginning is damaged."_s;
    return rows;
}

inline TransferPlan somePlan()
{
    TransferPlan plan;
    const auto add = [&plan](const char* path, qint64 size, TransferVerdict verdict, const QString& reason = {}) {
        plan.entries.append({{path, FileEntry::Kind::File, size, 1'772'352'000, 0644, {}}, verdict, reason});
    };
    add("train.py", 18'220, TransferVerdict::Changed);
    add("configs/8b.yaml", 1'410, TransferVerdict::New);
    add("data/tokenizer.model", 2'183'982, TransferVerdict::Same);
    add("src/model/attention/rotary_position_embedding_with_scaling.py", 9'870, TransferVerdict::New);
    add("notes.md", 812, TransferVerdict::Newer, u"is newer on the cluster"_s);
    add(".ssh/id_ed25519", 411, TransferVerdict::Refused, u"looks like a private key"_s);
    plan.files = 3;
    plan.bytes = 29'500;
    plan.same = 1;
    plan.newer = 1;
    plan.refused = 1;
    return plan;
}

inline ReachSubject reached()
{
    FoundService jupyter;
    jupyter.name = u"Jupyter"_s;
    jupyter.node = u"nid005526"_s;
    jupyter.port = 8889;
    jupyter.path = u"/lab"_s;
    jupyter.token = u"not-shown"_s;
    return {u"9304946"_s, u"LUMI"_s, {u"nid005525"_s, u"nid005526"_s, u"nid005527"_s}, {jupyter}, {}};
}

} // namespace rankwright::shots
