// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/fieldtable.h"

#include <algorithm>

namespace rankwright::inline planner {

namespace {

using Resources = JobSpec::Resources;
using Training = JobSpec::Training;
using AdapterChoice = JobSpec::AdapterChoice;
using Parallel = JobSpec::Parallel;
using Environment = JobSpec::Environment;
using Options = JobSpec::Options;
using Monitor = JobSpec::Monitor;
using Program = JobSpec::Program;

/// A member of the design itself: at<&JobSpec::name>().
template <auto member>
constexpr auto at()
{
    using Value = std::remove_reference_t<decltype(std::declval<JobSpec&>().*member)>;
    return FieldMember<Value>{[](const JobSpec& spec) -> const Value& { return spec.*member; },
        [](JobSpec& spec) -> Value& { return spec.*member; }};
}

/// A member of one of its parts: at<&JobSpec::resources, &Resources::nodes>().
template <auto part, auto member>
constexpr auto at()
{
    using Value = std::remove_reference_t<decltype(std::declval<JobSpec&>().*part.*member)>;
    return FieldMember<Value>{[](const JobSpec& spec) -> const Value& { return spec.*part.*member; },
        [](JobSpec& spec) -> Value& { return spec.*part.*member; }};
}

constexpr bool fileOnly = false;

constexpr SpecField table[]{
    {field::model, at<&JobSpec::model>(), FieldGroup::Model},
    {field::sequence, at<&JobSpec::training, &Training::sequence>(), FieldGroup::Model},
    {field::precision, at<&JobSpec::training, &Training::precision>(), FieldGroup::Model},
    {field::activationCheckpointing, at<&JobSpec::training, &Training::activationCheckpointing>(), FieldGroup::Model},
    {field::attention, at<&JobSpec::training, &Training::attention>(), FieldGroup::Model},
    {field::optimizer, at<&JobSpec::training, &Training::optimizer>(), FieldGroup::Model},
    {field::offload, at<&JobSpec::training, &Training::offload>(), FieldGroup::Model},
    {field::float8, at<&JobSpec::training, &Training::float8>(), FieldGroup::Model},
    {field::compile, at<&JobSpec::training, &Training::compile>(), FieldGroup::Model},
    {field::framework, at<&JobSpec::training, &Training::framework>(), FieldGroup::Model},
    {field::adapterMethod, at<&JobSpec::adapter, &AdapterChoice::method>(), FieldGroup::Model},
    {field::adapterRank, at<&JobSpec::adapter, &AdapterChoice::rank>(), FieldGroup::Model},
    {field::adapterTargets, at<&JobSpec::adapter, &AdapterChoice::targets>(), FieldGroup::Model},
    {field::adapterQuantisation, at<&JobSpec::adapter, &AdapterChoice::quantisation>(), FieldGroup::Model},
    {field::adapterAlpha, at<&JobSpec::adapter, &AdapterChoice::alpha>(), FieldGroup::Model},
    {field::loss, at<&JobSpec::training, &Training::loss>(), FieldGroup::Model},
    {field::optimizerInBackward, at<&JobSpec::training, &Training::optimizerInBackward>(), FieldGroup::Model, fileOnly},
    {field::packed, at<&JobSpec::training, &Training::packed>(), FieldGroup::Model},
    {field::trainedFraction, at<&JobSpec::training, &Training::trainedFraction>(), FieldGroup::Model, fileOnly},
    {field::frozen, at<&JobSpec::training, &Training::frozen>(), FieldGroup::Model, fileOnly},
    {field::groupedExperts, at<&JobSpec::training, &Training::groupedExperts>(), FieldGroup::Model},
    {field::name, at<&JobSpec::name>(), FieldGroup::Job},
    {field::cluster, at<&JobSpec::cluster>(), FieldGroup::Job},
    {field::account, at<&JobSpec::account>(), FieldGroup::Job},
    {field::partition, at<&JobSpec::partition>(), FieldGroup::Job},
    {field::reservation, at<&JobSpec::reservation>(), FieldGroup::Job},
    {field::strategy, at<&JobSpec::parallel, &Parallel::strategy>(), FieldGroup::Strategy},
    {field::tensor, at<&JobSpec::parallel, &Parallel::tensor>(), FieldGroup::Strategy},
    {field::pipeline, at<&JobSpec::parallel, &Parallel::pipeline>(), FieldGroup::Strategy},
    {field::context, at<&JobSpec::parallel, &Parallel::context>(), FieldGroup::Strategy},
    {field::expert, at<&JobSpec::parallel, &Parallel::expert>(), FieldGroup::Strategy},
    {field::expertTensor, at<&JobSpec::parallel, &Parallel::expertTensor>(), FieldGroup::Strategy, fileOnly},
    {field::virtualStages, at<&JobSpec::parallel, &Parallel::virtualStages>(), FieldGroup::Strategy},
    {field::firstStageLayers, at<&JobSpec::parallel, &Parallel::firstStageLayers>(), FieldGroup::Strategy},
    {field::lastStageLayers, at<&JobSpec::parallel, &Parallel::lastStageLayers>(), FieldGroup::Strategy},
    {field::sequenceParallel, at<&JobSpec::parallel, &Parallel::sequenceParallel>(), FieldGroup::Strategy},
    {field::shardOptimizer, at<&JobSpec::parallel, &Parallel::shardOptimizer>(), FieldGroup::Strategy},
    {field::reshard, at<&JobSpec::parallel, &Parallel::reshard>(), FieldGroup::Strategy},
    {field::globalBatch, at<&JobSpec::training, &Training::globalBatch>(), FieldGroup::Batch},
    {field::microBatch, at<&JobSpec::training, &Training::microBatch>(), FieldGroup::Batch},
    {field::datasetSamples, at<&JobSpec::training, &Training::datasetSamples>(), FieldGroup::Batch},
    {field::datasetTokens, at<&JobSpec::training, &Training::datasetTokens>(), FieldGroup::Batch},
    {field::epochs, at<&JobSpec::training, &Training::epochs>(), FieldGroup::Batch},
    {field::nodes, at<&JobSpec::resources, &Resources::nodes>(), FieldGroup::Resources},
    {field::gpusPerNode, at<&JobSpec::resources, &Resources::gpusPerNode>(), FieldGroup::Resources},
    {field::cpusPerGpu, at<&JobSpec::resources, &Resources::cpusPerGpu>(), FieldGroup::Resources},
    {field::memoryPerNode, at<&JobSpec::resources, &Resources::memoryPerNode>(), FieldGroup::Resources},
    {field::localDisk, at<&JobSpec::options, &Options::localDisk>(), FieldGroup::Resources, fileOnly},
    {field::time, at<&JobSpec::time>(), FieldGroup::Resources},
    {field::launcher, at<&JobSpec::launcher>(), FieldGroup::Launch},
    {field::mpi, at<&JobSpec::options, &Options::mpi>(), FieldGroup::Launch, fileOnly},
    {field::container, at<&JobSpec::environment, &Environment::container>(), FieldGroup::Launch},
    {field::binds, at<&JobSpec::environment, &Environment::binds>(), FieldGroup::Launch, fileOnly},
    {field::modules, at<&JobSpec::environment, &Environment::modules>(), FieldGroup::Launch},
    {field::venv, at<&JobSpec::environment, &Environment::venv>(), FieldGroup::Launch},
    {field::conda, at<&JobSpec::environment, &Environment::conda>(), FieldGroup::Launch},
    {field::uenv, at<&JobSpec::environment, &Environment::uenv>(), FieldGroup::Launch, fileOnly},
    {field::setup, at<&JobSpec::environment, &Environment::setup>(), FieldGroup::Launch},
    {field::variables, at<&JobSpec::environment, &Environment::variables>(), FieldGroup::Launch},
    {field::command, at<&JobSpec::command>(), FieldGroup::Launch},
    {field::microBatchOption, at<&JobSpec::program, &Program::microBatch>(), FieldGroup::Launch},
    {field::accumulationOption, at<&JobSpec::program, &Program::accumulation>(), FieldGroup::Launch},
    {field::globalBatchOption, at<&JobSpec::program, &Program::globalBatch>(), FieldGroup::Launch},
    {field::epochsOption, at<&JobSpec::program, &Program::epochs>(), FieldGroup::Launch},
    {field::precisionOption, at<&JobSpec::program, &Program::precision>(), FieldGroup::Launch},
    {field::config, at<&JobSpec::options, &Options::config>(), FieldGroup::Launch, fileOnly},
    {field::workdir, at<&JobSpec::workdir>(), FieldGroup::Launch},
    {field::qos, at<&JobSpec::options, &Options::qos>(), FieldGroup::Slurm},
    {field::constraint, at<&JobSpec::options, &Options::constraint>(), FieldGroup::Slurm},
    {field::exclude, at<&JobSpec::options, &Options::exclude>(), FieldGroup::Slurm, fileOnly},
    {field::exclusive, at<&JobSpec::options, &Options::exclusive>(), FieldGroup::Slurm},
    {field::cpuBinding, at<&JobSpec::options, &Options::cpuBinding>(), FieldGroup::Slurm},
    {field::numaBinding, at<&JobSpec::options, &Options::numaBinding>(), FieldGroup::Slurm},
    {field::signal, at<&JobSpec::options, &Options::signal>(), FieldGroup::Slurm},
    {field::requeueAtLimit, at<&JobSpec::options, &Options::requeueAtLimit>(), FieldGroup::Slurm},
    {field::requeue, at<&JobSpec::options, &Options::requeue>(), FieldGroup::Slurm},
    {field::resumeArguments, at<&JobSpec::options, &Options::resumeArguments>(), FieldGroup::Slurm},
    {field::array, at<&JobSpec::options, &Options::array>(), FieldGroup::Slurm},
    {field::dependency, at<&JobSpec::options, &Options::dependency>(), FieldGroup::Slurm},
    {field::sampler, at<&JobSpec::monitor, &Monitor::sampler>(), FieldGroup::Slurm},
    {field::samplerInterval, at<&JobSpec::monitor, &Monitor::interval>(), FieldGroup::Slurm},
    {field::hangEvidence, at<&JobSpec::environment, &Environment::hangEvidence>(), FieldGroup::Slurm},
    {field::output, at<&JobSpec::options, &Options::output>(), FieldGroup::Slurm},
    {field::error, at<&JobSpec::options, &Options::error>(), FieldGroup::Slurm, fileOnly},
    {field::mailUser, at<&JobSpec::options, &Options::mailUser>(), FieldGroup::Slurm},
    {field::mailType, at<&JobSpec::options, &Options::mailType>(), FieldGroup::Slurm},
    {field::overrides, at<&JobSpec::overrides>(), FieldGroup::Slurm, fileOnly},
};

} // namespace

std::span<const SpecField> specFields() { return table; }

const SpecField* specField(QAnyStringView path)
{
    const auto found
        = std::find_if(std::begin(table), std::end(table), [path](const SpecField& one) { return path == one.path; });
    return found != std::end(table) ? found : nullptr;
}

int formOrder(QAnyStringView path)
{
    const SpecField* found = specField(path);
    return static_cast<int>((found != nullptr ? found : std::end(table)) - std::begin(table));
}

} // namespace rankwright::inline planner
