// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisrules.h"

#include <iterator>

namespace rankwright {

namespace {

using Rule = DiagnosisRule;

constexpr Rule gpuTable[]
    = {
        {"gpu-broken", "gpu_hardware", Rule::Machine,
            "fallen off the bus|uncorrectable ecc|uncorrectable nvlink|gpu is lost|unable to determine the device handle|nvrm: xid|xid (|row remap|double bit ecc|double-bit ecc|hardware error|eccuncorrectable|ecc error|ecc_uncorrectable|gpu requires "
            "reset|ras_error|poison|hardware stack error",
            R"(fallen off the bus|uncorrectable (?:ECC|NVLink)|GPU is lost|Unable to determine the device handle|Xid \([^)]*\):? (?:48|62|63|64|74|79|92|94|95|119|120|140)\b|row remap\w* (?:failure|failed|pending)|double[- ]bit ECC|hipErrorECCNotCorrectable|cudaErrorECCUncorrectable|CUDA_ERROR_ECC_UNCORRECTABLE|GPU requires reset|error: hardware stack error|(?:GPU|amdgpu|HIP|CUDA).*(?:hardware error|uncorrectable|RAS.*uncorrect|poison))",
            R"(\b(?:0|no) uncorrect|uncorrectable(?: ECC)? errors?\s*[:=]\s*0|mce: \[Hardware Error\]: Machine check events logged)",
            "The GPU itself is faulty, not the program. Submit again without this node (--exclude=NODE) and report its name to the site's support.",
            "NVIDIA Xid errors; ROCm RAS"},
        {"gpu-page-fault", "gpu_fault", Rule::Cause,
            "memory access fault by gpu|memory_aperture_violation|hsa_status_error|hw exception by gpu|gpu hang|gpu core dump|page not present|vm_l2_protection|queue error",
            R"(Memory access fault by GPU|HSA_STATUS_ERROR_(?:MEMORY_APERTURE|EXCEPTION|ILLEGAL|MEMORY_FAULT)|HW Exception by GPU|reason ?: ?GPU Hang|VM_L2_PROTECTION|amdgpu.*GPU hang)",
            "",
            "The GPU stopped on a wrong memory access or a hang of a kernel. Run once with AMD_SERIALIZE_KERNEL=3 to find the operation; try another ROCm or PyTorch version; if always the same node fails, exclude it (--exclude).",
            "ROCR runtime error messages"},
        {"device-assert", "gpu_fault", Rule::Cause,
            "device-side assert|deviceassert|indexselectlargeindex|indexing.cu|t >= 0 && t < n_classes|index out of bounds",
            R"(device-side assert triggered|Assertion [`'"].*failed|hipErrorAssert)", "",
            "An index was out of range on the GPU, mostly a label or token beyond the size of the output or vocabulary. Run once with CUDA_LAUNCH_BLOCKING=1, or on the CPU, to see the line.",
            "PyTorch CUDA error messages"},
        {"gpu-fault", "gpu_fault", Rule::Cause,
            "illegal memory access|unspecified launch failure|misaligned address|illegal instruction was encountered|error: invalid argument|error: invalid configuration argument|error: invalid resource handle|the gpu program failed to execute|the function failed to launch on the gpu|cublas error: 13|cublas error: 14|hiperrorillegaladdress|hiperrorlaunchfailure|cuda_error_illegal_address|cublas_status_execution_"
            "failed|cuda_error_launch_failed|hipblas_status_internal_error|nvrm: xid|cudnn_status_execution_failed|xid (|hip error: unknown|an illegal instruction|cublas_status_internal_error|unknown error|launch timed out",
            R"(illegal memory access|unspecified launch failure|misaligned address|illegal instruction was encountered|hipError(?:IllegalAddress|LaunchFailure)|CUDA_ERROR_(?:ILLEGAL_ADDRESS|LAUNCH_FAILED)|_STATUS_(?:EXECUTION_FAILED|INTERNAL_ERROR)|(?:CUDA|HIP) error: (?:unknown error|invalid (?:argument|configuration argument|resource handle))|the GPU program failed to execute|the function failed to launch on the GPU|Cublas Error: 1[34]\b|launch timed out and was terminated|Xid \([^)]*\):? (?:13|31|32|43|69)\b)",
            R"(NCCL INFO)",
            "A kernel on the GPU failed. Run once with CUDA_LAUNCH_BLOCKING=1 (AMD: AMD_SERIALIZE_KERNEL=3) to see which operation; custom kernels and mixed library versions are the usual cause.",
            "CUDA runtime API, error codes; HIP error codes"},
        {"gpu-architecture", "gpu_arch_mismatch", Rule::Cause,
            "no kernel image is available|nobinaryforgpu|invalid device function|tensilelibrary|"
            "could not initialize tensile|invaliddevicefunction|no_binary_for_gpu|ptxas fatal|"
            "unsupported gpu architecture|was compiled with an unsupported toolchain|unsupported ptx",
            R"(no kernel image is available|hipErrorNoBinaryForGpu|invalid device function|hipErrorInvalidDeviceFunction|CUDA_ERROR_NO_BINARY_FOR_GPU|Cannot read \S*TensileLibrary|Could not initialize Tensile|Unsupported gpu architecture|unsupported toolchain|unsupported PTX)",
            R"(warn)",
            "The program was not built for this GPU. Use a PyTorch build (module, container, wheel) that supports it, or build extensions with TORCH_CUDA_ARCH_LIST (AMD: PYTORCH_ROCM_ARCH).",
            "CUDA and HIP error codes"},
        {"gpu-architecture-warned", "gpu_arch_mismatch", Rule::Cause,
            "is not compatible with the current pytorch|current pytorch install supports|cuda capability sm_",
            R"(not compatible|install supports)", "",
            "This PyTorch is not built for this GPU. Use a build (module, container, wheel) that supports it.",
            "PyTorch device checks", true},
        {"no-gpu", "no_gpu", Rule::Cause,
            "no cuda gpus are available|no hip gpus are available|found no nvidia driver|no cuda-capable device|no rocm-capable device|hiperrornodevice|cuda_error_no_device|not compiled with cuda|no supported gpu "
            "backend|no gpus found|torch.cuda.is_available() is false|driver not loaded|couldn't communicate with the nvidia|no devices were found|no gpu found|you might not have a cuda gpu|unable to initialize backend 'rocm'|unable to initialize backend "
            "'cuda'|cuda is not available|no visible gpu|no gpu devices|unable to open /dev/kfd|rocm driver is not loaded|no accelerator|gpu is required|no gpu is available|no gpus available|no gpu available|can only be used on cuda|since the accelerator is not available",
            R"(No (?:CUDA|HIP) GPUs are available|Found no NVIDIA driver|no (?:CUDA|ROCm)-capable device|hipErrorNoDevice|CUDA_ERROR_NO_DEVICE|not compiled with CUDA|No supported gpu backend|no GPUs? (?:devices? )?(?:were |is |are )?(?:found|available|detected|visible)|is_available\(\) is False|Driver Not Loaded|couldn't communicate with the NVIDIA|No devices were found|(?:Error|assert).*(?:CUDA is not available|GPU is required)|Unable to open /dev/kfd|might not have a CUDA gpu|(?:fp16|FP16|bf16|BF16)\b.*can only be used on CUDA|can not run on your system since the accelerator is not available)",
            R"(warn|INFO|disabling|falling back|using cpu)",
            "The program sees no GPU. Ask for some (--gpus-per-node), check that srun passes them on and that the container is started with --nv (AMD: --rocm), and that ROCR_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES is not empty.",
            "CUDA and HIP error codes; PyTorch lazy initialisation"},
        // counts only behind a line that says that there is no GPU (LogDiagnoser)
        {"no-gpu-cpu", "no_gpu", Rule::Cause,
            "using cpu|on cpu|on the cpu|to cpu|to the cpu|device: cpu|device=cpu|device cpu|device = cpu|device='cpu|device: 'cpu|device(type='cpu|with cpu|the cpu instead",
            R"(\b(?:us(?:e|es|ing)|runs?|running|train(?:s|ing)?|falls?|falling|fallback|goes|going|continu\w+|switch\w+|mov\w+)\b.{0,24}\bcpu\b|device\s*[:=(]?\s*(?:type=)?['"]?cpu\b)",
            R"(cpu[- _]?(?:bind|affinity|offload|memory|core|count|thread)|offload|checkpoint|state.?dict)",
            "The program found no GPU and trains on the processor. Ask for GPUs (--gpus-per-node), check that srun passes them on and that the container is started with --nv (AMD: --rocm), and that ROCR_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES is not empty.",
            "PyTorch lazy initialisation", false, 1, true},
        {"no-gpu-warned", "no_gpu", Rule::Cause,
            "cuda initialization:|can't initialize nvml|no gpu found|falling back to cpu|no cuda runtime is found",
            R"(CUDA initialization:|Can't initialize NVML|No GPU.* found.*cpu|falling back to cpu|No CUDA runtime)",
            R"(driver on your system is too old|is insufficient)",
            "The program sees no GPU. Ask for some (--gpus-per-node) and start the container with --nv (AMD: --rocm).",
            "PyTorch lazy initialisation", true},
        {"gpu-busy", "gpu_busy", Rule::Cause, "busy or unavailable", R"((?:CUDA|HIP).*busy or unavailable)", "",
            "Another process holds the GPU, or the GPU hangs. Let each rank use its own GPU (LOCAL_RANK); submit again without this node (--exclude=NODE) if no process of yours holds it.",
            "CUDA runtime API, error codes"},
        {"device-count", "wrong_device_count", Rule::Cause,
            "invalid device ordinal|hiperrorinvaliddevice|cuda_error_invalid_device|duplicate gpu detected|but your machine only has|device index must be|invalid device id|invalid device argument",
            R"(invalid device ordinal|hipErrorInvalidDevice\b|CUDA_ERROR_INVALID_DEVICE|Duplicate GPU detected|machine only has|Invalid device (?:id|argument))",
            R"(NCCL INFO)",
            "A rank asks for a GPU that it does not have. Let ranks per node equal --gpus-per-node, and choose the device by LOCAL_RANK; with one GPU bound to each task (--gpus-per-task=1) the device is always 0.",
            "CUDA and HIP error codes; NCCL troubleshooting"},
        {"driver-mismatch", "driver_mismatch", Rule::Cause,
            "driver version is insufficient|driver on your system is too old|forward compatibility was attempted|driver/library version mismatch|system not yet initialized|systemdrivermismatch|insufficientdriver|system has unsupported display driver",
            R"(driver version is insufficient|driver on your system is too old|forward compatibility was attempted|Driver/library version mismatch|system not yet initialized|(?:cuda|hip)Error(?:InsufficientDriver|SystemDriverMismatch)|unsupported display driver)",
            "",
            "The GPU driver of the node is too old (or another one) for this CUDA or ROCm. Use a PyTorch build or container made for the driver's version.",
            "CUDA runtime API, error codes"},
        {"miopen-cache", "miopen_cache", Rule::Cause, "miopen|internal error while accessing sqlite|gfx90a.*ukdb",
            R"(MIOpen.*(?:unable to open database|database is locked|disk I/O error|database disk image is malformed|attempt to write a readonly|Permission denied|readonly|Cannot (?:open|create))|Internal error while accessing SQLite)",
            R"(Missing system database)",
            "MIOpen's cache cannot be written by all ranks. Set MIOPEN_USER_DB_PATH and MIOPEN_CUSTOM_CACHE_DIR to a folder of /tmp, one for each node.",
            "LUMI documentation, PyTorch; MIOpen documentation, find database"},
        {"gpu-resources", "gpu_fault", Rule::Cause,
            "hsa_status_error_out_of_resources|hip error: out of resources|too many resources requested for launch|hiperroroutofresources",
            R"(HSA_STATUS_ERROR_OUT_OF_RESOURCES|too many resources requested for launch|OutOfResources\b(?!: out of resource: shared))",
            "",
            "The GPU, or the driver's share of the node's memory, has no more resources for a kernel. Lower the micro-batch; if several ranks share a GPU, give each its own (--gpus-per-task or ROCR_VISIBLE_DEVICES).",
            "ROCR runtime error messages; CUDA runtime API, error codes"},
        {"triton-resources", "kernel_limits", Rule::Cause, "out of resource: shared memory|out of resource: registers",
            R"(out of resource: (?:shared memory|registers))", R"(autotun|select_algorithm)",
            "A Triton kernel needs more of the GPU's on-chip memory than this GPU has. Use smaller blocks or fewer stages (num_stages), or a version of the library that is tuned for this GPU.",
            "Triton, OutOfResources"},
        {"flash-attention", "gpu_arch_mismatch", Rule::Cause,
            "flashattention only supports|flash attention only supports|requires a gpu with compute capability|requires device capability|bfloat16 is only supported on gpus with compute capability|is_sm80|is_sm90",
            R"(Flash ?Attention only supports \w+ GPUs|requires (?:a )?(?:GPU with |device )(?:compute )?capability|only supported on GPUs with compute capability|Expected is_sm\d+)",
            R"(warn|falling back|disabl)",
            "This GPU lacks what the kernel needs. Choose another attention (attn_implementation=\"sdpa\") or number format (fp16), or newer GPUs.",
            "FlashAttention; PyTorch"},
        {"compile", "compile_error", Rule::Cause,
            "backendcompilerfailed|internaltorchdynamoerror|torch._inductor.exc|failed to find c compiler|"
            "cuda_home environment variable is not set|missingcudaexception|cudamismatchexception|"
            "error building extension|ninja is required|ninja: build stopped|hiprtc_error|rocm_home environment",
            R"(BackendCompilerFailed|InternalTorchDynamoError|torch\._inductor\.exc|Failed to find C compiler|CUDA_HOME (?:environment variable is not set|does not exist)|ROCM_HOME environment variable is not set|MissingCUDAException|CUDAMismatchException|Error building extension|Ninja is required|ninja: build stopped: subcommand failed|HIPRTC_ERROR_COMPILATION)", R"(warn|falling back|suppress_errors)",
            "Code had to be compiled in the job, and that failed. Build extensions beforehand with the same modules, load a compiler and the CUDA or ROCm toolkit in the job, or switch the compiled path off (torch.compile, DS_BUILD_OPS).",
            "PyTorch cpp_extension; DeepSpeed op builder; TorchDynamo"},
        {"miopen-kernel", "gpu_fault", Rule::Cause, "miopen error: ",
            R"(MIOpen Error: .*(?:No suitable algorithm|Code object build failed|No invoker was registered|hipModuleLaunchKernel|comgr))",
            "",
            "MIOpen found or built no kernel for this operation on this GPU. Use a ROCm and PyTorch that support it, give it more workspace (a smaller micro-batch), or try MIOPEN_FIND_MODE=FAST.",
            "MIOpen documentation, find modes"},
        // on shared file systems mostly its cache, which the line does not say
        {"miopen-unclear", "miopen_cache", Rule::Communication, "miopenstatus",
            R"(miopenStatus(?:Internal|Unknown)Error)", R"(warn)",
            "MIOpen failed without a reason; mostly its cache cannot be written by all ranks. Set MIOPEN_USER_DB_PATH and MIOPEN_CUSTOM_CACHE_DIR to a folder of /tmp, one for each node; MIOPEN_ENABLE_LOGGING=1 shows more.",
            "LUMI documentation, PyTorch; MIOpen documentation, find database"},
        {"kernel-refused", "gpu_fault", Rule::Communication,
            "cublas_status_|cudnn_status_|hipblas_status_|rocblas_status_|cusolver_status_|cublas error: |cudnn error: |cufft_",
            R"((?:error|Error)\b.*(?:(?:CUBLAS|CUDNN|HIPBLAS|CUSOLVER)_STATUS_(?:NOT_SUPPORTED|INVALID_VALUE|BAD_PARAM|MAPPING_ERROR|ARCH_MISMATCH)|rocblas_status_\w+|CUFFT_\w+)|cu(?:BLAS|DNN) Error: )",
            R"(warn|falling back)",
            "A library of the GPU refused an operation: its sizes, number format or library version do not go together. Check shapes and types, or use another PyTorch, CUDA or ROCm version.",
            "cuBLAS, cuDNN and hipBLAS status codes"},
        {"kernel-library", "gpu_fault", Rule::Communication,
            "cublas_status_not_initialized|cudnn_status_not_initialized|hipblas_status_not_initialized|cudnn_status_internal_error|miopenstatus",
            R"(_STATUS_(?:NOT_INITIALIZED|INTERNAL_ERROR)|miopenStatus(?!Internal|Unknown)\w*(?:Error|NotInitialized))",
            R"(warn)",
            "A library of the GPU could not start, mostly because the GPU's memory is full or an earlier kernel failed. Lower the micro-batch first.",
            "cuBLAS and cuDNN status codes"},
};

} // namespace

const QList<DiagnosisRule>& gpuRules()
{
    static const QList<DiagnosisRule> rules(std::begin(gpuTable), std::end(gpuTable));
    return rules;
}

} // namespace rankwright
