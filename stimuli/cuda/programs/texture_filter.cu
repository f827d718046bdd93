// An image is halved in size by the texture unit: it lies in a CUDA array of bytes, which a texture object reads as floats, filtered
// linearly.
//
//   wharf cuda texture_filter.cu              128 x 128
//   wharf cuda texture_filter.cu -- 512 256   other sizes, even numbers
//
// Shows: cudaMallocArray, cudaMemcpy2DToArray, texture objects, normalised reads, linear filtering, and clamping at the border.

#include "check.h"

__global__ void halve(cudaTextureObject_t image, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  // The corner where four texels meet has their mean. One column of the result lies at the border, where coordinates are clamped.
  out[y * width + x] = tex2D<float>(image, 2.0f * x + 2.0f, 2.0f * y + 1.0f);
}

int main(int argc, char** argv) {
  const int width = argument(argc, argv, 1, 128), height = argument(argc, argv, 2, 128);
  if (width <= 0 || height <= 0 || width % 2 != 0 || height % 2 != 0) {
    std::fprintf(stderr, "the sizes must be even\n");
    return 2;
  }
  Random random;
  std::vector<unsigned char> image(width * height);
  for (unsigned char& texel : image) texel = static_cast<unsigned char>(random.below(256));

  cudaArray_t array;
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<unsigned char>();
  CHECK(cudaMallocArray(&array, &channel, width, height));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width, width, height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  description.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));

  const int out_width = width / 2, out_height = height / 2;
  const DeviceArray<float> out(out_width * out_height);
  const dim3 block(16, 16), grid((out_width + 15) / 16, (out_height + 15) / 16);
  halve<<<grid, block>>>(texture, out.data(), out_width, out_height);
  CHECK(cudaGetLastError());
  const std::vector<float> got = out.to_host();
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));

  std::vector<float> expected(out_width * out_height);
  for (int y = 0; y < out_height; ++y)
    for (int x = 0; x < out_width; ++x) {
      const int left = 2 * x + 1, right = left + 1 < width ? left + 1 : left;
      const int sum = image[2 * y * width + left] + image[2 * y * width + right] + image[(2 * y + 1) * width + left] +
                      image[(2 * y + 1) * width + right];
      expected[y * out_width + x] = static_cast<float>(sum) / (4 * 255.0f);
    }
  return verdict("texture filter", count_wrong(got, expected, 1e-4));
}
