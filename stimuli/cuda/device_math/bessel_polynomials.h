#pragma once
// Tables for the Bessel functions: their zeros below 8, the functions without these zeros, and modulus and phase beyond.

#include "stimuli/cuda/device_math/primitives.h"

namespace wharf_math {

// Zeros in two parts: the first two of J0, of J1 above 0 and of Y1, and the first three of Y0.
template <class T>
struct BesselZeros;
template <>
struct BesselZeros<float> {
  static constexpr Pair<float> kJ0First = {2.40482545f, 1.08705905e-07f}, kJ0Second = {5.52007818f, -7.19341458e-08f};
  static constexpr Pair<float> kJ1First = {3.83170605f, -7.68505899e-08f}, kJ1Second = {7.01558685f, -1.83211725e-07f};
  static constexpr Pair<float> kY0First = {0.89357698f, -1.33579787e-08f}, kY0Second = {3.95767832f, 1.01291178e-07f};
  static constexpr Pair<float> kY0Third = {7.08605099f, 7.30581178e-08f};
  static constexpr Pair<float> kY1First = {2.19714141f, -8.28892723e-08f}, kY1Second = {5.42968082f, 2.16514351e-07f};
};
template <>
struct BesselZeros<double> {
  static constexpr Pair<double> kJ0First = {2.404825557695773, -1.176691651530894e-16},
                                kJ0Second = {5.520078110286311, 8.088597146146722e-17};
  static constexpr Pair<double> kJ1First = {3.8317059702075125, -1.5269184090088067e-16},
                                kJ1Second = {7.015586669815619, -9.414165653410389e-17};
  static constexpr Pair<double> kY0First = {0.8935769662791675, 2.6596231539720385e-17},
                                kY0Second = {3.957678419314858, -1.0764340697562706e-16};
  static constexpr Pair<double> kY0Third = {7.086051060301773, -8.835285723085408e-17};
  static constexpr Pair<double> kY1First = {2.197141326031017, -4.8259835876454966e-17},
                                kY1Second = {5.429681040794135, 4.162514026670377e-16};
};

/// J0(x) / (x^2 - z^2) in t = x^2 - 8 for x up to 4, with the first zero z.
inline float j0_low(float t) {
  constexpr float kCoefficients[] = {-0.0886624157f,   0.00808250997f,  -0.00026609542f,  4.58920931e-06f,
                                     -4.89753589e-08f, 3.56197155e-10f, -1.88438089e-12f, 7.55717798e-15f};
  return polynomial(kCoefficients, t);
}
inline double j0_low(double t) {
  constexpr double kCoefficients[] = {-0.08866241912277732,    0.008082510351864747,   -0.00026609542270822584, 4.58920932838392e-06,
                                      -4.897547976055148e-08,  3.5619746410315506e-10, -1.8813320204089937e-12, 7.549421488489693e-15,
                                      -2.3808057874988283e-17, 6.05794115274023e-20,   -1.270836244064938e-22,  2.2336843678249962e-25};
  return polynomial(kCoefficients, t);
}
/// J0(x) / (x - z) in t = x - 6 for x from 4 to 8, with the second zero.
inline float j0_high(float t) {
  constexpr float kCoefficients[] = {0.313895375f,    -0.0775365904f,   -0.0434300341f,   0.00846499577f,
                                     0.00169071474f,  -0.000290392258f, -3.24580433e-05f, 5.04611489e-06f,
                                     3.75972633e-07f, -5.35931441e-08f, -2.75400636e-09f, 3.64394764e-10f};
  return polynomial(kCoefficients, t);
}
inline double j0_high(double t) {
  constexpr double kCoefficients[] = {0.3138953660581486,     -0.07753659236669226,   -0.04343003493451364,    0.008464995494980606,
                                      0.0016907164421519542,  -0.0002903924577954878, -3.245981773476202e-05,  5.046333168084599e-06,
                                      3.7683306575973564e-07, -5.369878633692875e-08, -2.9472164422313693e-09, 3.881003341805387e-10,
                                      1.6621792856977836e-11, -2.035109821009615e-12, -7.086852359661718e-14,  8.099174605123997e-15,
                                      2.3634251075615695e-16, -2.420773089457343e-17, -6.089337793197239e-19};
  return polynomial(kCoefficients, t);
}
/// J1(x) / (x (x^2 - z^2)) in t = x^2 - 12 for x up to 5.
inline float j1_low(float t) {
  constexpr float kCoefficients[] = {-0.0164064188f,   0.00107469142f,  -2.772279e-05f,   3.93785456e-07f,
                                     -3.57586294e-09f, 2.26471741e-11f, -1.06293406e-13f, 3.78173821e-16f};
  return polynomial(kCoefficients, t);
}
inline double j1_low(double t) {
  constexpr double kCoefficients[] = {-0.01640641833104523,   0.0010746914324904927, -2.7722788986577785e-05, 3.937855082094729e-07,
                                      -3.575894787663526e-09, 2.264624003777883e-11, -1.0596010639507023e-13, 3.817325195820536e-16,
                                      -1.09237201135003e-18,  2.544262144982639e-21, -4.918808518815136e-24,  8.028380576280165e-27,
                                      -1.1106136995895942e-29};
  return polynomial(kCoefficients, t);
}
/// J1(x) / (x - z) in t = x - 6.5 for x from 5 to 8.
inline float j1_high(float t) {
  constexpr float kCoefficients[] = {0.29838106f,     0.0283532739f,    -0.0483311154f,   -0.00141772057f, 0.00224107876f,
                                     2.25347303e-05f, -4.91435494e-05f, -1.14735251e-07f, 6.03442231e-07f, -7.16581572e-10f};
  return polynomial(kCoefficients, t);
}
inline double j1_high(double t) {
  constexpr double kCoefficients[] = {0.2983810684341155,    0.028353274403168434,    -0.04833112679918981,    -0.0014177205859508455,
                                      0.0022411250616447198, 2.2534588972428572e-05,  -4.920127473503496e-05,  -1.1455840996380213e-07,
                                      6.329695893100368e-07, -8.072392133637003e-10,  -5.3657541013111525e-09, 1.6585682772197116e-11,
                                      3.2284750312194e-11,   -1.3012678458978406e-13, -1.4510044067705923e-13, 6.326417342995727e-16,
                                      4.931057219437789e-16};
  return polynomial(kCoefficients, t);
}
/// (Y0(x) - 2/pi log(x / z) J0(x)) / (x^2 - z^2) in t = x^2 - 3 for x up to 2.6.
inline float y0_low(float t) {
  constexpr float kCoefficients[] = {0.136707798f, -0.0136297457f, 0.000478351081f, -8.67089875e-06f, 9.64321742e-08f, -7.13954174e-10f};
  return polynomial(kCoefficients, t);
}
inline double y0_low(double t) {
  constexpr double kCoefficients[] = {0.13670779939109823,    -0.013629745922593785,  0.0004783513169584391, -8.670765873308806e-06,
                                      9.637460152278732e-08,  -7.254145968055098e-10, 3.946760175704767e-12, -1.6255798575730048e-14,
                                      5.2474250350381074e-17, -1.348923104576457e-19};
  return polynomial(kCoefficients, t);
}
/// Y0(x) / (x - z) in t = x - 4 for x from 2.5 to 5.5.
inline float y0_middle(float t) {
  constexpr float kCoefficients[] = {-0.400286078f,    0.0557720661f,    0.0576304719f,   -0.00721860724f,
                                     -0.00214084866f,  0.000207953723f,  4.94714259e-05f, -4.93362222e-06f,
                                     -3.13128794e-07f, -3.93374364e-08f, 2.2602082e-08f};
  return polynomial(kCoefficients, t);
}
inline double y0_middle(double t) {
  constexpr double kCoefficients[] = {-0.40028607275087885,   0.05577207078674841,     0.0576304725848259,     -0.007218632405675314,
                                      -0.002140843241220984,  0.00020801492118456409,  4.945840251131985e-05,  -4.993977092353531e-06,
                                      -3.003309328936066e-07, -1.4190663221880542e-08, 1.7312531070466696e-08, -3.291934742350498e-09,
                                      6.714388916154179e-10,  -1.616931117798948e-10,  3.845249344093654e-11,  -8.942049803420782e-12,
                                      2.110822865981867e-12,  -5.48347160450046e-13,   1.3041044500752408e-13, -1.6057096845076243e-14,
                                      3.8051986397992545e-15, -3.575204362209895e-15,  8.585370643272019e-16};
  return polynomial(kCoefficients, t);
}
/// Y0(x) / (x - z) in t = x - 6.75 for x from 5.5 to 8.
inline float y0_high(float t) {
  constexpr float kCoefficients[] = {0.301692545f,     0.0118879955f,    -0.0498507172f,  0.000270515855f, 0.00233132369f,
                                     -4.27543782e-05f, -5.03806768e-05f, 1.00391401e-06f, 6.24894028e-07f};
  return polynomial(kCoefficients, t);
}
inline double y0_high(double t) {
  constexpr double kCoefficients[] = {0.30169255583006954,    0.011887992566659266,    -0.04985071677936698,    0.00027054014716073173,
                                      0.0023313330855289456,  -4.281051688273459e-05,  -5.0402284436275697e-05, 1.0520883783310504e-06,
                                      6.434177606432978e-07,  -1.3948983071139334e-08, -5.345102304212109e-09,  1.0641409555227771e-10,
                                      3.2729890464864926e-11, -7.248108350733545e-13,  -1.2498547606431065e-13, 4.990422336506243e-16};
  return polynomial(kCoefficients, t);
}
/// (Y1(x) - 2/pi log(x / z) J1(x)) x / (x^2 - z^2) in t = x^2 - 6 for x up to 3.6.
inline float y1_low(float t) {
  constexpr float kCoefficients[] = {0.184019342f,     0.00259758928f,  -0.000827100128f, 2.84281559e-05f,
                                     -4.66459767e-07f, 4.65191086e-09f, -3.15994488e-11f, 1.53642534e-13f};
  return polynomial(kCoefficients, t);
}
inline double y1_low(double t) {
  constexpr double kCoefficients[] = {0.18401934836001413,    0.002597589182506157,   -0.0008271000956316697,  2.8428157580559244e-05,
                                      -4.664608807468475e-07, 4.651771364466539e-09,  -3.1554060556678647e-11, 1.5582872051581942e-13,
                                      -5.868612580382474e-16, 1.7437451614174948e-18, -4.1974865721783005e-21, 8.267525930549145e-24};
  return polynomial(kCoefficients, t);
}
/// Y1(x) / (x - z) in t = x - 5.75 for x from 3.5 to 8.
inline float y1_high(float t) {
  constexpr float kCoefficients[] = {-0.325211197f,    0.0624212064f,   0.0456721112f,   -0.00675553642f,
                                     -0.00186335435f,  0.000228773075f, 3.85499879e-05f, -4.1497392e-06f,
                                     -4.49236126e-07f, 4.14402344e-08f, 4.20269686e-09f, -4.28442865e-10f};
  return polynomial(kCoefficients, t);
}
inline double y1_high(double t) {
  constexpr double kCoefficients[] = {
      -0.32521118454238224,   0.06242120611190558,     0.04567210989614163,    -0.00675553614639122,   -0.0018633536000243218,
      0.00022877240425932905, 3.854953802145924e-05,   -4.149200992004271e-06, -4.491617012508165e-07, 4.1250905597508585e-08,
      4.223796244854486e-09,  -4.0073651605915663e-10, -7.684367292719565e-12, -8.133254044852965e-13, 5.358996765010746e-13,
      -8.425431022406341e-14, 1.3234981825417026e-14,  -2.248011993847418e-15, 3.9757650135242622e-16, -8.930451469590462e-17,
      1.5570440258128132e-17, -2.374792477634239e-19,  4.189282922334915e-20,  -1.853936225354045e-19, 3.229998255630599e-20};
  return polynomial(kCoefficients, t);
}

// For x >= 8 the functions of order n are sqrt(2 / (pi x)) modulus * the cosine (Jn) and sine (Yn) of x - (n / 2 + 1/4) pi + phase / x;
// modulus and phase are polynomials in t = 1 / x^2.
inline float modulus_0(float t) {
  constexpr float kCoefficients[] = {1.0f, -0.0624964386f, 0.102331042f, -0.408934712f};
  return polynomial(kCoefficients, t);
}
inline double modulus_0(double t) {
  constexpr double kCoefficients[] = {1.0,
                                      -0.06249999999990838,
                                      0.10351562466642715,
                                      -0.5428461940351802,
                                      5.848324858366409,
                                      -106.71026673799919,
                                      2912.7863363552415,
                                      -104242.73200540402,
                                      4102627.4319189843,
                                      -147162798.23574618,
                                      4068945011.958745,
                                      -72781423716.3256,
                                      614080989960.5159};
  return polynomial(kCoefficients, t);
}
inline float phase_0(float t) {
  constexpr float kCoefficients[] = {-0.125f, 0.0651029348f, -0.208914608f, 1.50941348f, -11.9056416f};
  return polynomial(kCoefficients, t);
}
inline double phase_0(double t) {
  constexpr double kCoefficients[] = {-0.125,
                                      0.06510416666665424,
                                      -0.2095703124315601,
                                      1.6380657315485032,
                                      -23.47494849340507,
                                      535.5096493824883,
                                      -17772.870991482247,
                                      794011.4595075556,
                                      -43191065.27106356,
                                      2509985314.200429,
                                      -136783657153.57399,
                                      6288596072581.669,
                                      -223816544601386.25,
                                      5647390065654855.0,
                                      -8.881333510864629e+16,
                                      6.500598594956532e+17};
  return polynomial(kCoefficients, t);
}
inline float modulus_1(float t) {
  constexpr float kCoefficients[] = {1.0f, 0.187495157f, -0.191753939f, 0.624920785f};
  return polynomial(kCoefficients, t);
}
inline double modulus_1(double t) {
  constexpr double kCoefficients[] = {1.0,
                                      0.1874999999998972,
                                      -0.1933593746257201,
                                      0.8052973067964171,
                                      -7.739533858846454,
                                      132.56402887222237,
                                      -3481.339390462675,
                                      121651.64330306658,
                                      -4721967.011183371,
                                      168089285.0037493,
                                      -4627790352.009023,
                                      82571120571.712,
                                      -695596337229.6564};
  return polynomial(kCoefficients, t);
}
inline float phase_1(float t) {
  constexpr float kCoefficients[] = {0.375f, -0.164060935f, 0.370066911f, -2.20682096f, 16.1168079f};
  return polynomial(kCoefficients, t);
}
inline double phase_1(double t) {
  constexpr double kCoefficients[] = {0.375,
                                      -0.16406249999994704,
                                      0.3708984372433535,
                                      -2.3693973453100874,
                                      30.623494057593387,
                                      -658.8544052496744,
                                      21014.260981450625,
                                      -900718.1563484686,
                                      45779460.19890972,
                                      -2375362626.044536,
                                      109642138124.41496,
                                      -4027637083771.9067,
                                      106220234281365.88,
                                      -1754159897463351.8,
                                      1.3492268124170598e+16};
  return polynomial(kCoefficients, t);
}

/// I0(x) in t = x^2 for |x| < 8.
inline float i0_low(float t) {
  constexpr float kCoefficients[] = {1.0f,
                                     0.25f,
                                     0.0156249991f,
                                     0.000434028014f,
                                     6.78164633e-06f,
                                     6.7820153e-08f,
                                     4.70765371e-10f,
                                     2.40958078e-12f,
                                     9.22143763e-15f,
                                     3.15827153e-17f,
                                     4.66075433e-20f,
                                     2.88867737e-22f};
  return polynomial(kCoefficients, t);
}
inline double i0_low(double t) {
  constexpr double kCoefficients[] = {1.0,
                                      0.25,
                                      0.015625000000000007,
                                      0.00043402777777777445,
                                      6.781684027778812e-06,
                                      6.781684027758202e-08,
                                      4.709502797312111e-10,
                                      2.4028075474081917e-12,
                                      9.385967122158306e-15,
                                      2.896902788810415e-17,
                                      7.242279005317181e-20,
                                      1.4962822964042478e-22,
                                      2.5987841051325663e-25,
                                      3.829411247002327e-28,
                                      5.0327117729737235e-31,
                                      4.601357767863732e-34,
                                      8.487698345602824e-37};
  return polynomial(kCoefficients, t);
}
/// I0(x) e^-x sqrt(x) in t = 1 / x for x >= 8.
inline float i0_high(float t) {
  constexpr float kCoefficients[] = {0.398942292f, 0.0498674139f, 0.0280948132f, 0.0272527784f, 0.0851543099f, -0.306426793f, 1.83150601f};
  return polynomial(kCoefficients, t);
}
inline double i0_high(double t) {
  constexpr double kCoefficients[] = {
      0.39894228040143265,    0.04986778505022224,    0.028050629043571976,   0.029219430573372215,   0.044734331540828676,
      0.09218986308743525,    0.007722348609162371,   22.913134100124005,     -1674.3878073960238,    97173.6243849982,
      -4403346.246869692,     158150961.0672899,      -4543340854.590455,     105020568781.56943,     -1959114026251.3484,
      29498915473911.402,     -357554255351118.5,     3468225634674332.5,     -2.665886810250503e+16, 1.5995205514979258e+17,
      -7.321238504574346e+17, 2.4663303987104077e+18, -5.759739469476221e+18, 8.325473031491053e+18,  -5.609527195436679e+18};
  return polynomial(kCoefficients, t);
}
/// I1(x) / x in t = x^2 for |x| < 8.
inline float i1_low(float t) {
  constexpr float kCoefficients[] = {
      0.5f,           0.0625f,         0.00260416768f, 5.42532507e-05f, 6.78195704e-07f, 5.64942759e-09f, 3.37280238e-11f, 1.47632151e-13f,
      5.6781166e-16f, 9.33866025e-19f, 6.35890249e-21f};
  return polynomial(kCoefficients, t);
}
inline double i1_low(double t) {
  constexpr double kCoefficients[] = {0.5,
                                      0.06250000000000001,
                                      0.0026041666666666574,
                                      5.42534722222271e-05,
                                      6.781684027764357e-07,
                                      5.651403356704746e-09,
                                      3.3639305668982475e-11,
                                      1.5017547367976848e-13,
                                      5.214425120919993e-16,
                                      1.448455537254395e-18,
                                      3.2918259018287706e-21,
                                      6.2370206832638684e-24,
                                      9.956969230500738e-27,
                                      1.408926251589232e-29,
                                      1.3808181584914298e-32,
                                      2.716505589516919e-35};
  return polynomial(kCoefficients, t);
}
/// I1(x) e^-x sqrt(x) in t = 1 / x for x >= 8.
inline float i1_high(float t) {
  constexpr float kCoefficients[] = {0.398942292f, -0.149602935f, -0.0468003862f, -0.0387112051f, -0.102655619f, 0.3328951f, -2.0652144f};
  return polynomial(kCoefficients, t);
}
inline double i1_high(double t) {
  constexpr double kCoefficients[] = {0.3989422804014327,     -0.14960335515059098,   -0.04675104842334098,  -0.040907201658814,
                                      -0.0575145879676993,    -0.11305662428808762,   0.06296711865317614,   -35.252006434215794,
                                      2660.31902070755,       -157692.34623849246,    7291560.423361681,     -267140087.35947254,
                                      7835618793.399857,      -185345232475.66666,    3551456870589.5107,    -55230970831215.58,
                                      696720446428972.6,      -7106220423096738.0,    5.823862263763935e+16, -3.796677889247668e+17,
                                      1.9389017146524175e+18, -7.578296509671102e+18, 2.186295185376377e+19, -4.382971957052341e+19,
                                      5.448379769514832e+19,  -3.1606022719266775e+19};
  return polynomial(kCoefficients, t);
}

}  // namespace wharf_math
