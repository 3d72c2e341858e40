# ---
# name: ok_accented_identifiers
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, pattern_scores, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: []
# mistake: "none: identifiers with accents and Greek letters, and one argument beyond latin-1"
# kind: quirk-correct
# tier: 2
# note: "arguments named otherwise: call by position"
# ---
import numpy as np


def _máximo(m):
    return np.max(m, axis=1, keepdims=True)


def scores(perguntas, clés):
    return perguntas @ clés.T


def scale(S, δ):
    return S / np.sqrt(δ)


def softmax(σ):
    é = np.exp(σ - _máximo(σ))
    return é / é.sum(axis=1, keepdims=True)


def mix(α, β):
    return α @ β


def attention(Q, K, Vögel):
    α = softmax(scale(scores(Q, K), K.shape[1]))
    return mix(α, Vögel), α


def layer_norm(x, ε=1e-5):
    µ = x.mean(axis=1, keepdims=True)
    σ2 = ((x - μ) ** 2).mean(axis=1, keepdims=True)     # micro sign above, mu here: one name to Python
    return (x - µ) / np.sqrt(σ2 + ε)


def project(u, *matrizes):
    return tuple(u @ W for W in matrizes)


def split_heads(M, cabeças):
    n, d = M.shape
    return M.reshape(n, cabeças, d // cabeças).transpose(1, 0, 2)


def one_head(x, 询, 钥, 值, cabeças, h):
    Q, K, V = (split_heads(M, cabeças)[h] for M in project(layer_norm(x), 询, 钥, 值))
    return attention(Q, K, V)


def pattern_scores(espécie, Q, K):
    Δ = np.arange(len(Q))[:, None] - np.arange(len(K))
    conteúdo, anterior, distância = scores(Q, K), np.where(Δ == 1, 5.0, 0.0), -np.abs(Δ) / 1
    média = (conteúdo + anterior + distância) / 3
    return dict(content=conteúdo, previous=anterior, decay=distância, mixed=média)[espécie]


def score_spread(Q, K):
    σ = scores(Q, K).std()
    return σ, σ / np.sqrt(K.shape[1])


def softmax_backward(dα, α):
    return α * (dα - (dα * α).sum(axis=1, keepdims=True))


def backward(dΩ, Q, K, V, α):
    dσ = softmax_backward(dΩ @ V.T, α)
    ρ = np.sqrt(K.shape[1])
    return dσ @ K / ρ, dσ.T @ Q / ρ, α.T @ dΩ, dσ


def numerical_gradient(ƒ, M, h=1e-6):
    γ = np.zeros(M.shape)
    for ι in np.ndindex(M.shape):
        ε = np.zeros(M.shape)
        ε[ι] = h
        γ[ι] = (ƒ(M + ε) - ƒ(M - ε)) / (2 * h)
    return γ
