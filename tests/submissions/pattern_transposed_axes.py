# ---
# name: pattern_transposed_axes
# functions_right: [scores, scale, softmax, mix, attention, layer_norm, project, split_heads, one_head, score_spread, softmax_backward, backward, numerical_gradient]
# functions_wrong: [pattern_scores]
# mistake: "rows and columns of the place tables are swapped"
# kind: mistake
# tier: 2
# root_cause: [pattern_scores]
# ---
# Trabalho 3 - atenção feita à mão
import numpy as np
from math import sqrt


def scores(consultas, chaves):
    # produto interno de cada consulta com cada chave
    return consultas @ chaves.transpose()


def scale(pontos, d_k):
    # divide pela raiz da largura
    return pontos / sqrt(d_k)


def softmax(pontos):
    # tira o maior de cada linha para não estourar
    maior = pontos.max(axis=1).reshape(-1, 1)
    e = np.exp(pontos - maior)
    return e / e.sum(axis=1).reshape(-1, 1)


def mix(pesos, valores):
    # média ponderada dos valores
    return pesos @ valores


def attention(consultas, chaves, valores):
    # os quatro passos seguidos
    pontos = scores(consultas, chaves)
    pesos = softmax(scale(pontos, chaves.shape[1]))
    return mix(pesos, valores), pesos


def layer_norm(X, eps=1e-5):
    # cada linha: média 0, desvio 1
    media = X.mean(axis=1).reshape(-1, 1)
    variancia = ((X - media) ** 2).mean(axis=1).reshape(-1, 1)
    return (X - media) / np.sqrt(variancia + eps)


def project(u, W_Q, W_K, W_V):
    # as três projeções
    return tuple(u @ W for W in (W_Q, W_K, W_V))


def split_heads(M, n_heads):
    # colunas vizinhas formam uma cabeça
    largura = M.shape[1] // n_heads
    return np.array([M[:, c * largura:(c + 1) * largura] for c in range(n_heads)])


def one_head(X, W_Q, W_K, W_V, n_heads, h):
    # só as colunas da cabeça h de cada matriz
    largura = W_Q.shape[1] // n_heads
    c = slice(h * largura, (h + 1) * largura)
    q, k, v = project(layer_norm(X), W_Q[:, c], W_K[:, c], W_V[:, c])
    return attention(q, k, v)


def pattern_scores(kind, Q, K):
    # tabelas de lugares
    coluna, linha = np.meshgrid(np.arange(Q.shape[0]), np.arange(K.shape[0]))
    conteudo = K @ Q.T
    anterior = np.where(coluna == linha - 1, 5.0, 0.0)
    distancia = -np.abs(linha - coluna) * 1.0
    mistura = (conteudo + anterior + distancia) / 3
    return {"content": conteudo, "previous": anterior, "decay": distancia, "mixed": mistura}[kind]


def score_spread(Q, K):
    # desvio padrão antes e depois da divisão
    desvio = float((Q @ K.T).std())
    return desvio, desvio / sqrt(K.shape[1])


def softmax_backward(dA, A):
    # tira a média ponderada de cada linha
    media = (dA * A).sum(axis=1).reshape(-1, 1)
    return A * (dA - media)


def backward(dO, Q, K, V, A):
    # de trás para a frente
    raiz = sqrt(K.shape[1])
    dV = A.T @ dO
    dS = softmax_backward(dO @ V.T, A)
    dQ = (dS @ K) / raiz
    dK = (dS.T @ Q) / raiz
    return dQ, dK, dV, dS


def numerical_gradient(f, M, h=1e-6):
    # diferenças centrais, uma entrada de cada vez
    copia = M.astype(float).copy()
    resultado = np.zeros_like(copia)
    for i in range(copia.shape[0]):
        for j in range(copia.shape[1]):
            guardado = copia[i, j]
            copia[i, j] = guardado + h
            mais = f(copia)
            copia[i, j] = guardado - h
            menos = f(copia)
            copia[i, j] = guardado
            resultado[i, j] = (mais - menos) / (2 * h)
    return resultado
